// Queries of reports.

import { columns, type Database, entry, insertRow, nextIn, statement, value } from "#adapters/records/shared/sql.ts";
import type * as ports from "#ports.ts";

/** No limit counts a revoke, so that their times would grow without an end. A report looks at fewer than are kept. */
export const KEPT_REVOKE_TIMES = 20_000;
const DROP_OLD_REVOKES = statement`
  DELETE FROM revoke_times WHERE tenant = $tenant AND id <= (
    SELECT id FROM revoke_times WHERE tenant = $tenant ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_REVOKE_TIMES})`;
const REVOKE_TIMES = value<number>`
  SELECT took_ms FROM revoke_times WHERE tenant = $tenant AND at >= $1 AND at < $2 ORDER BY at DESC, id DESC LIMIT $3`;
const USED_GATES = statement<ports.UsedGate>`
  SELECT ${columns("agentId namespace")} FROM used_gates WHERE tenant = $tenant AND (agent_id, namespace) > ($1, $2)
  ORDER BY agent_id, namespace LIMIT $3`;
const TOTALS = entry<keyof ports.Usage, number>`
  SELECT name, value FROM totals WHERE tenant = $tenant`;
const SLICE = statement<SliceRow>`
  SELECT ${columns("at sequence agentId outcome")} FROM decisions
  WHERE tenant = $tenant AND (at, sequence) < ($1, $2) AND at >= $3 ORDER BY at DESC, sequence DESC LIMIT $4`;
const ON_LEDGER = statement<LedgerRow>`
  SELECT count(*) AS count, max(answer_id) AS last, coalesce(sum(CASE WHEN EXISTS (
    SELECT 1 FROM anchors JOIN chain_anchors ON chain_anchors.tenant = $tenant AND chain_anchors.digest = anchors.digest
    WHERE anchors.tenant = $tenant AND anchors.issued_answer = page.answer_id) THEN 1 ELSE 0 END), 0) AS "onLedger"
  FROM (
    SELECT DISTINCT issued_answer AS answer_id FROM anchors
    WHERE tenant = $tenant AND issued_answer > $1 AND issued_answer >= $2 AND issued_answer < $3 ORDER BY 1 LIMIT $4) AS page`;

const ADD_REVOKE = insertRow("revoke_times", "at tookMs", { values: { id: nextIn("revoke_times", "id") } });

export function reportRecords({ rows, row, write }: Database): ports.ReportRecords {
  return {
    async usage() {
      // A tenant that was deleted has none.
      const none = { memories: 0, textBytes: 0, namespaces: 0, policyRules: 0, receipts: 0 };
      return { ...none, ...Object.fromEntries(await rows(TOTALS())) };
    },
    tally: async ({ from, to, before = { at: to, sequence: 0 }, limit }) =>
      toTally(await rows(SLICE(before.at, before.sequence, from, limit)), limit),
    addRevoke: (revoke) => write(ADD_REVOKE(revoke), DROP_OLD_REVOKES()),
    revokeTimes: ({ from, to, limit }) => rows(REVOKE_TIMES(from, to, limit)),
    async countOnLedger({ since, before, after = "", limit }) {
      const { count, last, onLedger } = (await row(ON_LEDGER(after, since, before, limit))) as LedgerRow;
      return { onLedger: Number(onLedger), ...(count === limit && last !== null && { next: last }) };
    },
    usedGates: ({ after = { agentId: "", namespace: "" }, limit }) =>
      rows(USED_GATES(after.agentId, after.namespace, limit)),
  };
}

interface SliceRow extends ports.DecisionPosition {
  readonly agentId: string | null;
  readonly outcome: string;
}

function toTally(rows: readonly SliceRow[], limit: number): ports.DecisionTally {
  const days = new Map<string, ports.DayOfAgent>();
  for (const { at, agentId, outcome } of rows) {
    const [isAnswer, isRefusal] = [outcome === "answered", outcome === "refused"];
    if (!isAnswer && !isRefusal) continue;
    const day = at.slice(0, 10);
    const key = JSON.stringify([day, agentId]);
    const { answers, refused } = days.get(key) ?? { answers: 0, refused: 0 };
    days.set(key, { day, agentId, answers: answers + Number(isAnswer), refused: refused + Number(isRefusal) });
  }
  const last = rows.at(-1);
  const tally = { days: [...days.values()] };
  if (last === undefined || rows.length < limit) return tally;
  return { ...tally, next: { at: last.at, sequence: last.sequence } };
}

type LedgerRow = { readonly count: number; readonly last: string | null; readonly onLedger: number };
