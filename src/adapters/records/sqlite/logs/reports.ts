import type { SQLInputValue } from "node:sqlite";
import {
  DROP_OLD_REVOKES,
  type LedgerRow,
  onLedgerSql,
  type SliceRow,
  sliceSql,
  toLedgerCount,
  toTally,
} from "#adapters/records/shared/logs/reports.ts";
import type { Connection } from "#adapters/records/sqlite/connection/connection.ts";
import type { ReportRecords, UsedGate } from "#ports.ts";

export function reportRecords({ database, read, write }: Connection): ReportRecords {
  const insert = database.prepare("INSERT INTO revoke_times (at, took_ms) VALUES (?, ?)");
  const dropOld = database.prepare(DROP_OLD_REVOKES);
  const times = database.prepare(
    "SELECT took_ms AS ms FROM revoke_times WHERE at >= ? AND at < ? ORDER BY at DESC, id DESC LIMIT ?",
  );
  const gates = database.prepare(
    `SELECT agent_id AS agentId, namespace FROM used_gates WHERE (agent_id, namespace) > (?, ?)
     ORDER BY agent_id, namespace LIMIT ?`,
  );
  /** Values are bound by position, in the order in which the text names them. */
  function rows(text: (put: (value: string | number) => string) => string): unknown[] {
    const values: SQLInputValue[] = [];
    const sql = text((value) => {
      values.push(value);
      return "?";
    });
    return database.prepare(sql).all(...values);
  }
  return {
    tally: (slice) => read(() => toTally(rows((put) => sliceSql(slice, put)) as SliceRow[], slice.limit)),
    addRevoke: ({ at, tookMs }) =>
      write(() => {
        insert.run(at, tookMs);
        dropOld.run();
      }),
    revokeTimes: ({ from, to, limit }) => read(() => times.all(from, to, limit).map(({ ms }) => Number(ms))),
    countOnLedger: (slice) =>
      read(() => {
        const [row] = rows((put) => onLedgerSql(slice, put)) as [LedgerRow];
        return toLedgerCount(row, slice.limit);
      }),
    usedGates: ({ after = { agentId: "", namespace: "" }, limit }) =>
      read(() => gates.all(after.agentId, after.namespace, limit) as unknown as UsedGate[]),
  };
}
