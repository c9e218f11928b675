import {
  DECISION_COLUMNS,
  type DecisionQuery,
  type DecisionRow,
  rowsToRead,
  startOf,
  toDecisionPage,
} from "#adapters/records/shared/logs/decisions.ts";
import type { Connection } from "#adapters/records/sqlite/connection/connection.ts";
import type { DecisionTable } from "#adapters/records/sqlite/tables/decision-table.ts";
import type { DecisionRecords } from "#ports.ts";

export function decisionRecords(
  { database, read, inSnapshot, write }: Connection,
  table: DecisionTable,
): DecisionRecords {
  const timeOf = database.prepare("SELECT at, sequence FROM decisions WHERE sequence = ?");
  const newest = (condition: string) =>
    database.prepare(
      `SELECT ${DECISION_COLUMNS} FROM decisions
       WHERE ${condition} (at, sequence) < (:at, :sequence) AND at >= :from
       ORDER BY at DESC, sequence DESC LIMIT :limit`,
    );
  const ofAll = newest("");
  const ofAgent = newest("agent_id = :agentId AND");

  function rowsOf(query: DecisionQuery): DecisionRow[] {
    const { agentId, before, from = "" } = query;
    const start =
      before === undefined ? startOf(query) : (timeOf.get(before) as ReturnType<typeof startOf> | undefined);
    if (start === undefined) return [];
    const values = { at: start.at, sequence: start.sequence, from, limit: rowsToRead(query) };
    const rows = agentId === undefined ? ofAll.all(values) : ofAgent.all({ ...values, agentId });
    return rows as unknown as DecisionRow[];
  }

  return {
    add: (decision) => write(() => table.add(decision)),
    page: (query) => read(() => inSnapshot(() => toDecisionPage(rowsOf(query), query))),
  };
}
