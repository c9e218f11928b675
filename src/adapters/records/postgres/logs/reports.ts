import type { Database, Statement } from "#adapters/records/postgres/connection/database.ts";
import {
  DROP_OLD_REVOKES,
  type LedgerRow,
  onLedgerSql,
  type SliceRow,
  sliceSql,
  toLedgerCount,
  toTally,
} from "#adapters/records/shared/logs/reports.ts";
import type { ReportRecords, UsedGate } from "#ports.ts";

const ADD_REVOKE = "INSERT INTO revoke_times (at, took_ms) VALUES ($1, $2)";
const REVOKE_TIMES =
  "SELECT took_ms AS ms FROM revoke_times WHERE at >= $1 AND at < $2 ORDER BY at DESC, id DESC LIMIT $3";
const USED_GATES = `
  SELECT agent_id AS "agentId", namespace FROM used_gates WHERE (agent_id, namespace) > ($1, $2)
  ORDER BY agent_id, namespace LIMIT $3`;

function statement(textWith: (put: (value: string | number) => string) => string): Statement {
  const values: (string | number)[] = [];
  const text = textWith((value) => {
    const place = `$${values.push(value)}`;
    return typeof value === "number" ? `${place}::bigint` : `${place}::text`;
  });
  return { text, values };
}

export function reportRecords(database: Database): ReportRecords {
  return {
    async tally(slice) {
      return toTally(await database.rows<SliceRow>(statement((put) => sliceSql(slice, put))), slice.limit);
    },
    async addRevoke({ at, tookMs }) {
      await database.write({ text: ADD_REVOKE, values: [at, tookMs] }, { text: DROP_OLD_REVOKES, values: [] });
    },
    async revokeTimes({ from, to, limit }) {
      const rows = await database.rows<{ ms: number }>({ text: REVOKE_TIMES, values: [from, to, limit] });
      return rows.map(({ ms }) => ms);
    },
    async countOnLedger(slice) {
      const row = await database.row<LedgerRow>(statement((put) => onLedgerSql(slice, put)));
      return toLedgerCount(row ?? { count: 0, last: null, onLedger: 0 }, slice.limit);
    },
    usedGates: ({ after = { agentId: "", namespace: "" }, limit }) =>
      database.rows<UsedGate>({ text: USED_GATES, values: [after.agentId, after.namespace, limit] }),
  };
}
