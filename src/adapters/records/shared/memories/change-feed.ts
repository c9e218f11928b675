// Snapshots and pages of the change feed, from the rows and counters that a database returns.
import type { MemoryChange } from "#core/recall/recall-index.ts";
import type { ChangePage, ChangeRange, FeedCursor, NamespaceHead, PolicyUpdate, Snapshot } from "#ports.ts";

/** The number of the last change of memories, and the version of the policy. Both only grow. */
export interface Counters {
  readonly memory: number;
  readonly policy: number;
}

/** A memory that was captured, the tombstone of a forgotten one, or an entry of the log of pins. */
export interface ChangeRow {
  readonly sequence: number;
  readonly content: string | null;
  readonly createdAt: string | null;
  /** The sequence of the memory that was forgotten or pinned; null for one that was captured. */
  readonly captured: number | null;
  /** Whether it was pinned or unpinned; null if it was neither. SQLite has 0 and 1. */
  readonly pinned: number | boolean | null;
}

/** How many changes one read brings at most. */
export const CHANGES_PER_READ = 1_000;

/** The snapshot of a reader that has read everything, which is the usual case; otherwise undefined. */
export function unchanged(cursor: FeedCursor, { memory, policy }: Counters): Snapshot | undefined {
  if (memory !== cursor.position || policy !== cursor.policyVersion) return undefined;
  return { heads: [], position: memory, policyVersion: policy };
}

/** `heads` are those of the namespaces that changed after the cursor. */
export function toSnapshot(
  cursor: FeedCursor,
  { memory, policy: policyVersion }: Counters,
  heads: readonly NamespaceHead[],
  readPolicy: () => PolicyUpdate,
): Snapshot {
  const snapshot = { heads, position: memory, policyVersion };
  return policyVersion === cursor.policyVersion ? snapshot : { ...snapshot, policy: readPolicy() };
}

/** `rows` are the next changes of the range, oldest first. `isCut` says that there may be others after them. */
export function toChangePage(
  { namespace, through }: ChangeRange,
  rows: readonly ChangeRow[],
  isCut: boolean,
): ChangePage {
  const changes = rows.map((row) => toChange(namespace, row));
  return { changes, position: isCut ? (changes.at(-1)?.sequence ?? through) : through };
}

function toChange(namespace: string, { sequence, content, createdAt, captured, pinned }: ChangeRow): MemoryChange {
  if (captured === null)
    return { kind: "captured", sequence, namespace, content: content ?? "", createdAt: createdAt ?? "" };
  if (pinned === null) return { kind: "forgotten", sequence, namespace, captured };
  return { kind: "pinned", sequence, namespace, captured, pinned: Boolean(pinned) };
}
