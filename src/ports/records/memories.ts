import type { Memory } from "#core/memory.ts";
import type { BlobLease } from "./leases.ts";
import type { Decision } from "./logs/decisions.ts";
import type { PageOf } from "./paging.ts";
import type { Stamp } from "./policy.ts";

export interface MemoryRecords {
  /**
   * Records the memory, not pinned, and in the same step the lease of its blob and the row of the decision log. Answers with the memory on record: the
   * same fact (`contentDigest`) is recorded once, and of facts that an earlier version recorded several times the first
   * memory counts. Rejects with `limit-reached` when its namespace is new and there are too many, and with
   * `confusable-name` when its namespace or its source agent is new and looks like another.
   */
  add(memory: Memory, lease?: BlobLease, decision?: Decision): Promise<Memory>;
  /** Rejects as `add` would reject such a memory now. */
  checkNames(names: Pick<Memory, "namespace" | "sourceAgent">): Promise<void>;
  find(memoryId: string): Promise<Memory | undefined>;
  /** The memories captured at these sequences, by sequence. Forgotten ones are left out. */
  at(sequences: readonly number[]): Promise<ReadonlyMap<number, Memory>>;
  page(page: PageOf<number> & MemoryFilter): Promise<MemoryPage>;
  /** Pins or unpins a memory. Setting what is set already changes nothing, the change feed included. */
  setPinned(pin: Pin, stamp: Stamp): Promise<PinOutcome>;
  counts(): Promise<MemoryCounts>;
}

export interface Pin {
  readonly memoryId: string;
  readonly pinned: boolean;
  /** No memory is pinned in a namespace that has this many pinned memories. */
  readonly limit: number;
}

export type PinOutcome =
  | { readonly kind: "set"; readonly memory: Memory }
  /** The namespace has as many pinned memories as the limit allows. */
  | { readonly kind: "full" }
  /** There is no such memory, or it was forgotten. */
  | { readonly kind: "not-found" };

/** Which memories a page may hold. A field that is left out lets all pass. */
export interface MemoryFilter {
  /** In one of these. */
  readonly namespaces?: readonly string[];
  readonly sourceAgent?: string;
  /** The content contains this; ASCII letters match in either case, all else exactly. */
  readonly contains?: string;
}

export interface MemoryPage {
  readonly memories: readonly Memory[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: number;
}

export interface MemoryCounts {
  readonly byNamespace: ReadonlyMap<string, number>;
  /** Only the 1,000 with most memories. Nothing limits how many there are. */
  readonly bySourceAgent: ReadonlyMap<string, number>;
  readonly sourceAgents: number;
}
