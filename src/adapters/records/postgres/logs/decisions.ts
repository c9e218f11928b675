import type { Database, Statement } from "#adapters/records/postgres/connection/database.ts";
import { groupCommit } from "#adapters/records/postgres/connection/group-commit.ts";
import {
  DECISION_COLUMNS,
  type DecisionQuery,
  detailsText,
  type FoundDecision,
  isAboutNamespace,
  REQUEST_ROWS,
  rowsToRead,
  startOf,
  toDecisionPage,
  toRequestPage,
} from "#adapters/records/shared/logs/decisions.ts";
import type { Decision, DecisionRecords } from "#ports.ts";
import type { NameLists } from "./name-lists.ts";

const MAX_BATCH = 500;

const ADD = `
  INSERT INTO decisions (at, principal_id, principal_name, role, agent_id, route, policy_version, allowed_list,
    allowed_count, blocked_list, blocked_count, outcome, answer_id, request_id, memory_id, namespace, details)
  SELECT at, "principalId", "principalName", role, "agentId", route, "policyVersion",
    (SELECT id FROM blocked_lists WHERE digest = "allowedDigest"), "allowedCount",
    (SELECT id FROM blocked_lists WHERE digest = "blockedDigest"), "blockedCount", outcome, "answerId", "requestId",
    CASE WHEN outcome <> 'captured' OR EXISTS (SELECT FROM memories WHERE memory_id = "memoryId")
      OR EXISTS (SELECT FROM superseded_memories WHERE memory_id = "memoryId") THEN "memoryId" END, namespace, details
  FROM json_to_recordset($1::json) AS decided (at text, "principalId" text, "principalName" text, role text,
    "agentId" text, route text, "policyVersion" bigint, "allowedDigest" text, "allowedCount" bigint,
    "blockedDigest" text, "blockedCount" bigint, outcome text, "answerId" text, "memoryId" text, "requestId" text,
    namespace text, details text)`;

/** Appends the decisions. Their lists must be on record (`NameLists.keep`). */
export function addDecisions(decisions: readonly (Decision | undefined)[]): Statement[] {
  const rows = decisions.flatMap((decision) => (decision === undefined ? [] : toRow(decision)));
  return rows.length === 0 ? [] : [{ text: ADD, values: [JSON.stringify(rows)] }];
}

function toRow({ allowed, blocked, details, ...fields }: Decision) {
  return {
    ...fields,
    details: detailsText(details),
    allowedDigest: allowed?.digest,
    allowedCount: allowed?.names.length,
    blockedDigest: blocked?.digest,
    blockedCount: blocked?.names.length,
  };
}

const columns = (namespace: string) => `${DECISION_COLUMNS}, ${isAboutNamespace(namespace)} AS "isAbout"`;
const COLUMNS = columns("$5::text");
const OF_ALL = `
  SELECT ${COLUMNS} FROM decisions WHERE (at, sequence) < ($1, $2) AND at >= $3
  ORDER BY at DESC, sequence DESC LIMIT $4`;
// A range of the index on agent and time, whatever the planner thinks of it: an agent may have few of many decisions.
const OF_AGENT = `
  SELECT ${COLUMNS} FROM decisions WHERE (agent_id, at, sequence) < ($6, $1, $2) AND (agent_id, at) >= ($6, $3)
  ORDER BY agent_id DESC, at DESC, sequence DESC LIMIT $4`;
const OF_REQUEST = `SELECT ${columns("$2::text")} FROM decisions WHERE request_id = $1`;
const ANY_REQUEST = `${OF_REQUEST} LIMIT ${REQUEST_ROWS}`;
const AGENTS_REQUEST = `${OF_REQUEST} AND agent_id = $3 LIMIT ${REQUEST_ROWS}`;
const TIME_OF = "SELECT at, sequence FROM decisions WHERE sequence = $1";

/** `idle` answers when no decision waits any more. */
export function decisionRecords(
  database: Database,
  lists: NameLists,
): { readonly records: DecisionRecords; idle(): Promise<void> } {
  const added = groupCommit<Decision>({ max: MAX_BATCH, onCommit: database.onCommit }, async (batch) => {
    await lists.keep(batch.flatMap(({ allowed, blocked }) => [allowed, blocked]));
    await database.write(...addDecisions(batch));
    return () => undefined;
  });

  async function rowsOf(query: DecisionQuery): Promise<FoundDecision[]> {
    const { agentId, before, from = "", namespace = null } = query;
    const start =
      before === undefined
        ? startOf(query)
        : await database.row<ReturnType<typeof startOf>>({ text: TIME_OF, values: [before] });
    if (start === undefined) return [];
    const values = [start.at, start.sequence, from, rowsToRead(query), namespace];
    return agentId === undefined
      ? database.rows({ text: OF_ALL, values })
      : database.rows({ text: OF_AGENT, values: [...values, agentId] });
  }

  const records: DecisionRecords = {
    add: added.write,
    async page(query) {
      const { requestId, agentId, namespace = null } = query;
      if (requestId === undefined) return toDecisionPage(await rowsOf(query), query);
      const read =
        agentId === undefined
          ? { text: ANY_REQUEST, values: [requestId, namespace] }
          : { text: AGENTS_REQUEST, values: [requestId, namespace, agentId] };
      return toRequestPage(await database.rows<FoundDecision>(read), query);
    },
  };
  return { records, idle: added.idle };
}
