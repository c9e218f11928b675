// Change feed: what was captured, forgotten, pinned and allowed since a reader's last read. An index follows the records
// by it. It is partitioned by namespace, so that a reader need not wait for namespaces that it does not search.
import type { AccessRule, RuleChange } from "#core/gate/policy.ts";
import type { Encryption } from "#core/memory.ts";
import type { MemoryChange } from "#core/recall/recall-index.ts";

export interface ChangeFeed {
  /** The policy, and the heads of the namespaces that changed after the cursor, as of one moment. Every recall begins with this read. */
  since(cursor: FeedCursor): Promise<Snapshot>;
  /** The next changes of one namespace. One read brings a bounded number of changes, and at least one if there is any. */
  changesIn(range: ChangeRange): Promise<ChangePage>;
}

export interface FeedCursor {
  /** The sequence of the last change, in whatever namespace; 0 at the beginning. */
  readonly position: number;
  /** -1 at the beginning: no policy has this version, so the reader is given even an empty one. */
  readonly policyVersion: number;
  /** Of the reader's policy. After a failover that lost changes, a version can mean another: it is given the whole. */
  readonly policyDigest?: string;
}

/** One consistent read of the feed. It is itself the cursor of the next read. */
export interface Snapshot extends FeedCursor {
  /** Those that changed after the cursor, in UTF-8 order: an index built in the order of searches is faster. */
  readonly heads: readonly NamespaceHead[];
  /** How often memories were forgotten or superseded. It only grows. */
  readonly removals: number;
  /** Absent when the cursor's version is still the current one. */
  readonly policy?: PolicyUpdate;
}

/** The rules that changed after the cursor's version, oldest first; all rules when these would be too many. */
export type PolicyUpdate = {
  /** Of `policyVersion`, for receipts. */
  readonly digest: string;
} & (
  | { readonly kind: "changes"; readonly changes: readonly Omit<RuleChange, "from">[] }
  | { readonly kind: "whole"; readonly rules: readonly AccessRule[] }
);
export interface NamespaceHead {
  readonly namespace: string;
  /** How many memories it holds. It does not exist when there are none. */
  readonly memories: number;
  readonly isEncrypted: boolean;
  /** It is encrypted, and its key is not here, so that nobody may use it. The store itself does not know that. */
  readonly isLocked?: true;
  /** The sequence of its last change. */
  readonly head: number;
}

/** The changes of a namespace with sequences above `after`, up to and including `through`. */
export interface ChangeRange {
  readonly namespace: string;
  readonly after: number;
  readonly through: number;
}

/** As the store has it: a captured memory may be encrypted, and then its content is the text of its encrypted blob. */
export type RecordedChange = MemoryChange & {
  readonly memoryId?: string;
  readonly encryption?: Encryption;
  /** A captured memory that was encrypted and is decrypted here, or could not be decrypted; absent in what a store gives. */
  readonly encrypted?: "decrypted" | "unreadable";
};

export interface ChangePage {
  readonly changes: readonly RecordedChange[];
  /** The sequence up to which the range was read. Below `through` there is more to read. */
  readonly position: number;
}
