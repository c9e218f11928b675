import type { ForgetCause } from "#core/tombstone.ts";
import type { MemoryUse, RecordedTombstone, UsePage } from "#ports.ts";

export interface TombstoneRow {
  readonly memoryId: string;
  readonly namespace: string;
  readonly sourceAgent: string;
  readonly cause: ForgetCause;
  readonly reason: string | null;
  readonly forgottenBy: string;
  readonly forgottenAt: string;
  readonly anchoredReceipts: number;
  readonly isNamedInPublic: number | boolean;
}

export function toTombstone(row: TombstoneRow): RecordedTombstone {
  const { sourceAgent, anchoredReceipts, isNamedInPublic, reason, ...said } = row;
  return {
    tombstone: reason === null ? said : { ...said, reason },
    sourceAgent,
    anchoredReceipts,
    isNamedInPublic: Boolean(isNamedInPublic),
  };
}

/** `rows` are up to one more than the limit. */
export function toUsePage(rows: readonly MemoryUse[], limit: number): UsePage {
  const uses = rows.slice(0, limit);
  const last = uses.at(-1);
  return rows.length > limit && last !== undefined ? { uses, next: last.answerId } : { uses };
}
