// Queries of reports.

import { column } from "#adapters/records/shared/rows.ts";
import type { Database } from "#adapters/records/shared/sql/database.ts";
import { nextIn } from "#adapters/records/shared/sql/dialect.ts";
import type {
  DayOfAgent,
  DecisionPosition,
  DecisionTally,
  LedgerCount,
  ReportRecords,
  Usage,
  UsedGate,
} from "#ports.ts";

/** No limit counts a revoke, so that their times would grow without an end. A report looks at fewer than are kept. */
export const KEPT_REVOKE_TIMES = 20_000;
const DROP_OLD_REVOKES = `
  DELETE FROM revoke_times WHERE tenant = $tenant AND id <= (
    SELECT id FROM revoke_times WHERE tenant = $tenant ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_REVOKE_TIMES})`;
const REVOKE_TIMES =
  "SELECT took_ms AS ms FROM revoke_times WHERE tenant = $tenant AND at >= $1 AND at < $2 ORDER BY at DESC, id DESC LIMIT $3";
const USED_GATES = `
  SELECT agent_id AS "agentId", namespace FROM used_gates WHERE tenant = $tenant AND (agent_id, namespace) > ($1, $2)
  ORDER BY agent_id, namespace LIMIT $3`;
const TOTALS = "SELECT name, value FROM totals WHERE tenant = $tenant";
const SLICE = `
  SELECT at, sequence, agent_id AS "agentId", outcome FROM decisions
  WHERE tenant = $tenant AND (at, sequence) < ($1, $2) AND at >= $3 ORDER BY at DESC, sequence DESC LIMIT $4`;
const ON_LEDGER = `
  SELECT count(*) AS count, max(answer_id) AS last, coalesce(sum(CASE WHEN EXISTS (
    SELECT 1 FROM anchors JOIN chain_anchors ON chain_anchors.tenant = $tenant AND chain_anchors.digest = anchors.digest
    WHERE anchors.tenant = $tenant AND anchors.issued_answer = page.answer_id) THEN 1 ELSE 0 END), 0) AS "onLedger"
  FROM (
    SELECT DISTINCT issued_answer AS answer_id FROM anchors
    WHERE tenant = $tenant AND issued_answer > $1 AND issued_answer >= $2 AND issued_answer < $3 ORDER BY 1 LIMIT $4) AS page`;

export function reportRecords({ rows, row, write }: Database): ReportRecords {
  const ADD_REVOKE = `
    INSERT INTO revoke_times (tenant, id, at, took_ms) VALUES ($tenant, ${nextIn("revoke_times", "id")}, $1, $2)`;
  return {
    async usage() {
      const totals = await rows<{ name: keyof Usage; value: number }>({ text: TOTALS, values: [] });
      // A tenant that was deleted has none.
      const none = { memories: 0, textBytes: 0, namespaces: 0, policyRules: 0, receipts: 0 };
      return { ...none, ...Object.fromEntries(totals.map(({ name, value }) => [name, value])) };
    },
    async tally({ from, to, before = { at: to, sequence: 0 }, limit }) {
      return toTally(await rows<SliceRow>({ text: SLICE, values: [before.at, before.sequence, from, limit] }), limit);
    },
    addRevoke: ({ at, tookMs }) =>
      write({ text: ADD_REVOKE, values: [at, tookMs] }, { text: DROP_OLD_REVOKES, values: [] }),
    revokeTimes: ({ from, to, limit }) => column(rows({ text: REVOKE_TIMES, values: [from, to, limit] })),
    async countOnLedger({ since, before, after = "", limit }) {
      const counted = await row<LedgerRow>({ text: ON_LEDGER, values: [after, since, before, limit] });
      return toLedgerCount(counted as LedgerRow, limit);
    },
    usedGates: ({ after = { agentId: "", namespace: "" }, limit }) =>
      rows<UsedGate>({ text: USED_GATES, values: [after.agentId, after.namespace, limit] }),
  };
}

interface SliceRow extends DecisionPosition {
  readonly agentId: string | null;
  readonly outcome: string;
}

function toTally(rows: readonly SliceRow[], limit: number): DecisionTally {
  const days = new Map<string, DayOfAgent>();
  for (const { at, agentId, outcome } of rows) {
    const isAnswer = outcome === "answered";
    const isRefusal = outcome === "refused";
    if (!isAnswer && !isRefusal) continue;
    const day = at.slice(0, 10);
    const key = JSON.stringify([day, agentId]);
    const sum = days.get(key) ?? { day, agentId, answers: 0, refused: 0 };
    days.set(key, {
      ...sum,
      answers: sum.answers + Number(isAnswer),
      refused: sum.refused + Number(isRefusal),
    });
  }
  const last = rows.at(-1);
  const tally = { days: [...days.values()] };
  if (last === undefined || rows.length < limit) return tally;
  return { ...tally, next: { at: last.at, sequence: last.sequence } };
}

type LedgerRow = { readonly count: number; readonly last: string | null; readonly onLedger: number };

function toLedgerCount({ count, last, onLedger }: LedgerRow, limit: number): LedgerCount {
  return { onLedger: Number(onLedger), ...(count === limit && last !== null && { next: last }) };
}
