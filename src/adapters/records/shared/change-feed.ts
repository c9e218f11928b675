// Snapshots of the change feed, from the rows and counters that a database returns.
import type { MemoryChange } from "#core/recall/recall-index.ts";
import type { FeedCursor, PolicyUpdate, Snapshot } from "#ports.ts";

/** The number of the last change of memories, and the version of the policy. Both only grow. */
export interface Counters {
  readonly memory: number;
  readonly policy: number;
}

/** A memory that was captured, the tombstone of a forgotten one, or an entry of the log of pins. */
export interface ChangeRow {
  readonly sequence: number;
  readonly namespace: string;
  readonly content: string | null;
  readonly createdAt: string | null;
  /** The sequence of the memory that was forgotten or pinned; null for one that was captured. */
  readonly captured: number | null;
  /** Whether it was pinned or unpinned; null if it was neither. SQLite has 0 and 1. */
  readonly pinned: number | boolean | null;
}

/** How many changes one read brings. */
export const CHANGES_PER_READ = 5_000;

/** The snapshot of a reader that has read everything, which is the usual case; otherwise undefined. */
export function unchanged(cursor: FeedCursor, { memory, policy }: Counters): Snapshot | undefined {
  if (memory !== cursor.position || policy !== cursor.policyVersion) return undefined;
  return { changes: [], position: memory, complete: true, policyVersion: policy };
}

/** `rows` are the next changes after the cursor, oldest first, up to `CHANGES_PER_READ`. */
export function toSnapshot(
  cursor: FeedCursor,
  { memory, policy: policyVersion }: Counters,
  rows: readonly ChangeRow[],
  readPolicy: () => PolicyUpdate,
): Snapshot {
  const changes = rows.map(toChange);
  const complete = changes.length < CHANGES_PER_READ;
  const position = complete ? memory : (changes.at(-1)?.sequence ?? cursor.position);
  const snapshot = { changes, position, complete, policyVersion };
  return policyVersion === cursor.policyVersion ? snapshot : { ...snapshot, policy: readPolicy() };
}

function toChange({ sequence, namespace, content, createdAt, captured, pinned }: ChangeRow): MemoryChange {
  if (captured === null)
    return { kind: "captured", sequence, namespace, content: content ?? "", createdAt: createdAt ?? "" };
  if (pinned === null) return { kind: "forgotten", sequence, namespace, captured };
  return { kind: "pinned", sequence, namespace, captured, pinned: Boolean(pinned) };
}
