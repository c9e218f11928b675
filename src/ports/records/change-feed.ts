// Change feed: what was captured, forgotten, pinned and allowed since a reader's last read. An index follows the records by it.
import type { Policy } from "#core/gate/policy.ts";
import type { MemoryChange } from "#core/recall/recall-index.ts";

export interface ChangeFeed {
  /** The policy and the changes of memories after the cursor, as of one moment. Every recall begins with this read. */
  since(cursor: FeedCursor): Promise<Snapshot>;
}

/** How far a reader has read. Zeros are the beginning. */
export interface FeedCursor {
  /** The sequence of the last change. */
  readonly position: number;
  readonly policyVersion: number;
}

/** One consistent read of the feed. It is itself the cursor of the next read. */
export interface Snapshot extends FeedCursor {
  /** Oldest first. */
  readonly changes: readonly MemoryChange[];
  /** False when there are more changes than one read may bring. */
  readonly complete: boolean;
  /** Absent when the cursor's version is still the current one. */
  readonly policy?: Policy;
}
