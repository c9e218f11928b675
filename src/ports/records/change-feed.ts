// Change feed: what was captured, forgotten, pinned and allowed since a reader's last read. An index follows the records by it.
import type { AccessRule, LeafChange } from "#core/gate/policy.ts";
import type { MemoryChange } from "#core/recall/recall-index.ts";

export interface ChangeFeed {
  /** The policy and the changes of memories after the cursor, as of one moment. Every recall begins with this read. */
  since(cursor: FeedCursor): Promise<Snapshot>;
}

/** How far a reader has read. */
export interface FeedCursor {
  /** The sequence of the last change; 0 at the beginning. */
  readonly position: number;
  /** -1 at the beginning: no policy has this version, so the reader is given even an empty one. */
  readonly policyVersion: number;
}

/** One consistent read of the feed. It is itself the cursor of the next read. */
export interface Snapshot extends FeedCursor {
  /** Oldest first. */
  readonly changes: readonly MemoryChange[];
  /** False when there are more changes than one read may bring. */
  readonly complete: boolean;
  /** Absent when the cursor's version is still the current one. */
  readonly policy?: PolicyUpdate;
}

/** The leaves that changed after the cursor's version, oldest first; all leaves when these would be too many. */
export type PolicyUpdate = {
  /** Of `policyVersion`, for receipts. */
  readonly digest: string;
} & (
  | { readonly kind: "changes"; readonly changes: readonly Omit<LeafChange, "from">[] }
  | { readonly kind: "whole"; readonly leaves: readonly AccessRule[] }
);
