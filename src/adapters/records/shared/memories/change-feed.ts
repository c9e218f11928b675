// Snapshots and pages of the change feed, from the rows and counters that a database returns.
import type {
  ChangePage,
  ChangeRange,
  FeedCursor,
  NamespaceHead,
  PolicyUpdate,
  RecordedChange,
  Snapshot,
} from "#ports.ts";

/** The number of the last change of memories, how often memories were removed, and the version of the policy. They only grow. */
export interface Counters {
  readonly memory: number;
  readonly removal: number;
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
  readonly memoryId: string | null;
  readonly sealKeyId: string | null;
  readonly wrappedKey: string | null;
  readonly factHash: string | null;
}

/** The columns of a captured memory in the feed, and their places in rows of other kinds. */
export const SEAL_COLUMNS =
  'memory_id AS "memoryId", seal_key_id AS "sealKeyId", wrapped_key AS "wrappedKey", fact_hash AS "factHash"';
export const NO_SEAL = "NULL, NULL, NULL, NULL";
export const REMOVED_ID = "memory_id, NULL, NULL, NULL";

export type HeadRow = Omit<NamespaceHead, "isSealed"> & { readonly sealed: number | boolean };

export const toHead = ({ sealed, ...head }: HeadRow): NamespaceHead => ({ ...head, isSealed: Boolean(sealed) });

/** How many changes one read brings at most. */
export const CHANGES_PER_READ = 1_000;

/** The snapshot of a reader that has read everything, which is the usual case; otherwise undefined. */
export function unchanged(cursor: FeedCursor, { memory, removal, policy }: Counters): Snapshot | undefined {
  if (memory !== cursor.position || policy !== cursor.policyVersion) return undefined;
  return { heads: [], position: memory, removals: removal, policyVersion: policy };
}

/** `heads` are those of the namespaces that changed after the cursor. */
export function toSnapshot(
  cursor: FeedCursor,
  { memory, removal: removals, policy: policyVersion }: Counters,
  heads: readonly NamespaceHead[],
  readPolicy: () => PolicyUpdate,
): Snapshot {
  const snapshot = { heads, position: memory, removals, policyVersion };
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

function toChange(namespace: string, row: ChangeRow): RecordedChange {
  const { sequence, captured, pinned } = row;
  if (captured === null) return toCaptured(namespace, row);
  if (pinned === null) {
    const named = row.memoryId === null ? {} : { memoryId: row.memoryId };
    return { kind: "forgotten", sequence, namespace, captured, ...named };
  }
  return { kind: "pinned", sequence, namespace, captured, pinned: Boolean(pinned) };
}

function toCaptured(namespace: string, row: ChangeRow): RecordedChange {
  const { sequence, content, createdAt, memoryId, sealKeyId, wrappedKey, factHash } = row;
  const change = { kind: "captured" as const, sequence, namespace, content: content ?? "", createdAt: createdAt ?? "" };
  if (sealKeyId === null || wrappedKey === null) return change;
  const seal = { keyId: sealKeyId, wrappedKey, factHash: factHash ?? "" };
  return { ...change, memoryId: memoryId ?? "", seal };
}
