import {
  DECISION_COLUMNS,
  type DecisionQuery,
  type FoundDecision,
  isAboutNamespace,
  REQUEST_ROWS,
  rowsToRead,
  startOf,
  toDecisionPage,
  toRequestPage,
} from "#adapters/records/shared/logs/decisions.ts";
import type { Connection } from "#adapters/records/sqlite/connection/connection.ts";
import type { DecisionTable } from "#adapters/records/sqlite/tables/decision-table.ts";
import type { DecisionPage, DecisionRecords } from "#ports.ts";

const COLUMNS = `${DECISION_COLUMNS}, ${isAboutNamespace(":namespace")} AS isAbout`;

export function decisionRecords(
  { database, read, inSnapshot, write }: Connection,
  table: DecisionTable,
): DecisionRecords {
  const timeOf = database.prepare("SELECT at, sequence FROM decisions WHERE sequence = ?");
  const newest = (condition: string) =>
    database.prepare(
      `SELECT ${COLUMNS} FROM decisions
       WHERE ${condition} (at, sequence) < (:at, :sequence) AND at >= :from
       ORDER BY at DESC, sequence DESC LIMIT :limit`,
    );
  const ofAll = newest("");
  const ofAgent = newest("agent_id = :agentId AND");

  const ofRequest = (condition: string) =>
    database.prepare(
      `SELECT ${COLUMNS} FROM decisions WHERE request_id = :requestId ${condition} LIMIT ${REQUEST_ROWS}`,
    );
  const ofAnyRequest = ofRequest("");
  const ofAgentsRequest = ofRequest("AND agent_id = :agentId");

  function pageOf(query: DecisionQuery): DecisionPage {
    const { requestId, agentId, namespace = null } = query;
    if (requestId === undefined) return toDecisionPage(rowsOf(query), query);
    const values = { requestId, namespace };
    const rows = agentId === undefined ? ofAnyRequest.all(values) : ofAgentsRequest.all({ ...values, agentId });
    return toRequestPage(rows as unknown as FoundDecision[], query);
  }

  function rowsOf(query: DecisionQuery): FoundDecision[] {
    const { agentId, before, from = "", namespace = null } = query;
    const start =
      before === undefined ? startOf(query) : (timeOf.get(before) as ReturnType<typeof startOf> | undefined);
    if (start === undefined) return [];
    const values = { at: start.at, sequence: start.sequence, from, namespace, limit: rowsToRead(query) };
    const rows = agentId === undefined ? ofAll.all(values) : ofAgent.all({ ...values, agentId });
    return rows as unknown as FoundDecision[];
  }

  return {
    add: (decision) => write(() => table.add(decision)),
    page: (query) => read(() => inSnapshot(() => pageOf(query))),
  };
}
