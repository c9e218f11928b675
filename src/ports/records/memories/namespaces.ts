import type { PageOf } from "#ports/records/paging.ts";
import type { Stamp } from "#ports/records/policy.ts";

/** What is said about namespaces. A namespace needs no settings to be used. */
export interface NamespaceRecords {
  find(name: string): Promise<NamespaceEntry | undefined>;
  /**
   * Records the settings in place of earlier ones. Rejects as a capture into this namespace would. When `sealed` changed,
   * the change feed gives the namespace's head again.
   */
  put(settings: GivenSettings, stamp: Stamp): Promise<void>;
  /** Those that have memories or settings, in UTF-8 order of their names, after the one of this name. */
  page(page: Omit<PageOf<string>, "before"> & NamespaceFilter): Promise<NamespacePage>;
}

export interface NamespaceSettings {
  readonly name: string;
  readonly description?: string;
  /** How long memories are kept that do not say it themselves, in seconds. It counts for those captured from then on. */
  readonly retentionSeconds?: number;
  /** Its memories are encrypted. */
  readonly sealed: boolean;
}

/** Whoever only describes a namespace does not unseal it: without `sealed` it stays as it is. */
export type GivenSettings = Omit<NamespaceSettings, "sealed"> & Partial<Pick<NamespaceSettings, "sealed">>;

export interface NamespaceFilter {
  readonly after?: string;
  /** Only these. */
  readonly names?: readonly string[];
}

/** A namespace, and how many current memories it has. */
export interface NamespaceEntry extends NamespaceSettings {
  readonly memories: number;
}

export interface NamespacePage {
  readonly namespaces: readonly NamespaceEntry[];
  /** The name after which the next page begins; absent on the last one. */
  readonly next?: string;
}
