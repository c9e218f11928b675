// What both databases share about reports. `put` gives the SQL of a value.
import type { AnswerSlice, DayOfAgent, DecisionPosition, DecisionSlice, DecisionTally, LedgerCount } from "#ports.ts";

/** No limit counts a revoke, so that their times would grow without an end. A report looks at fewer than are kept. */
export const KEPT_REVOKE_TIMES = 20_000;
export const DROP_OLD_REVOKES = `DELETE FROM revoke_times WHERE id <= (SELECT max(id) FROM revoke_times) - ${KEPT_REVOKE_TIMES}`;

type Put = (value: string | number) => string;

/** The decisions of a slice, newest first. */
export const sliceSql = ({ from, to, before = { at: to, sequence: 0 }, limit }: DecisionSlice, put: Put) => `
  SELECT at, sequence, agent_id AS "agentId", outcome, blocked_count AS "blockedCount" FROM decisions
  WHERE (at, sequence) < (${put(before.at)}, ${put(before.sequence)}) AND at >= ${put(from)}
  ORDER BY at DESC, sequence DESC LIMIT ${put(limit)}`;

export interface SliceRow extends DecisionPosition {
  readonly agentId: string | null;
  readonly outcome: string;
  readonly blockedCount: number | null;
}

export function toTally(rows: readonly SliceRow[], limit: number): DecisionTally {
  const days = new Map<string, DayOfAgent>();
  for (const { at, agentId, outcome, blockedCount } of rows) {
    const isAnswer = outcome === "answered";
    const isRefusal = outcome === "refused";
    if (!isAnswer && !isRefusal) continue;
    const day = at.slice(0, 10);
    const key = JSON.stringify([day, agentId]);
    const sum = days.get(key) ?? { day, agentId, answers: 0, heldBack: 0, refused: 0 };
    days.set(key, {
      ...sum,
      answers: sum.answers + Number(isAnswer),
      heldBack: sum.heldBack + Number(isAnswer && (blockedCount ?? 0) > 0),
      refused: sum.refused + Number(isRefusal),
    });
  }
  const last = rows.at(-1);
  const tally = { days: [...days.values()] };
  if (last === undefined || rows.length < limit) return tally;
  return { ...tally, next: { at: last.at, sequence: last.sequence } };
}

export const onLedgerSql = ({ since, before, after = "", limit }: AnswerSlice, put: Put): string => `
  SELECT count(*) AS count, max(answer_id) AS last, coalesce(sum(CASE WHEN EXISTS (
    SELECT 1 FROM anchors JOIN chain_anchors ON chain_anchors.digest = anchors.digest
    WHERE anchors.issued_answer = page.answer_id) THEN 1 ELSE 0 END), 0) AS "onLedger"
  FROM (
    SELECT DISTINCT issued_answer AS answer_id FROM anchors
    WHERE issued_answer > ${put(after)} AND issued_answer >= ${put(since)} AND issued_answer < ${put(before)}
    ORDER BY 1 LIMIT ${put(limit)}) AS page`;

export interface LedgerRow {
  readonly count: number;
  readonly last: string | null;
  readonly onLedger: number;
}

export function toLedgerCount({ count, last, onLedger }: LedgerRow, limit: number): LedgerCount {
  return count === limit && last !== null ? { onLedger: Number(onLedger), next: last } : { onLedger: Number(onLedger) };
}
