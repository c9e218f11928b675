// The decision log, and pages of it, newest first.

import { rowDigest } from "#adapters/records/shared/database/row-digest.ts";
import { present } from "#adapters/records/shared/rows.ts";
import { type Database, type Statement, UNLIMITED } from "#adapters/records/shared/sql/database.ts";
import { chosen, columnsOf, either, insertRows, nextIn, tableIn } from "#adapters/records/shared/sql/dialect.ts";
import { activityKind, type DecisionDetails } from "#core/activity-kind.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import type {
  Decision,
  DecisionFilter,
  DecisionPage,
  DecisionRecords,
  ListRef,
  PageOf,
  RecordedDecision,
} from "#ports.ts";
import { listsOf, type NameLists } from "./name-lists.ts";

type DecisionQuery = PageOf<number> & DecisionFilter;

export const DECISION_COLUMNS = `sequence, at, principal_id AS "principalId", principal_name AS "principalName", role,
  agent_id AS "agentId", route, policy_version AS "policyVersion", outcome, answer_id AS "answerId",
  memory_id AS "memoryId", request_id AS "requestId", namespace, details, allowed_count AS "allowedCount",
  blocked_count AS "blockedCount", (SELECT digest FROM blocked_lists WHERE tenant = $tenant AND id = allowed_list) AS "allowedDigest",
  (SELECT digest FROM blocked_lists WHERE tenant = $tenant AND id = blocked_list) AS "blockedDigest"`;

/** Whether a row is about the namespace of the query, or held it back. `given` is the SQL of that name, or of NULL. */
const isAboutNamespace = (given: string): string => `
  (${given} IS NULL OR namespace = ${given} OR EXISTS (
    SELECT 1 FROM blocked_names WHERE tenant = $tenant AND list = blocked_list AND blocked_names.namespace = ${given}))`;

type Nullable = "agentId" | "answerId" | "memoryId" | "requestId" | "namespace" | "details";

export type DecisionRow = Omit<RecordedDecision, "allowed" | "blocked" | Nullable> & {
  readonly [Column in Nullable | "allowedDigest" | "blockedDigest"]: string | null;
} & { readonly [Column in "allowedCount" | "blockedCount"]: number | null };

/** A row of a page, with whether it is about the namespace of the query. */
type FoundDecision = DecisionRow & { readonly isAbout: number | boolean };

const isFiltered = ({ outcome, kind, namespace }: DecisionFilter) =>
  outcome !== undefined || kind !== undefined || namespace !== undefined;

/** How many rows to read. Without such a filter, one row more than the limit shows that there is a next page. */
function rowsToRead(query: DecisionQuery): number {
  const { limit, scan = UNLIMITED } = query;
  return isFiltered(query) ? scan : Math.min(limit + 1, scan);
}

/** `rows` are the next ones of the log, up to `rowsToRead`. No index knows what they are about, so that is filtered here. */
function toDecisionPage(rows: readonly FoundDecision[], query: DecisionQuery): DecisionPage {
  const { limit } = query;
  const decisions: RecordedDecision[] = [];
  let seen = 0;
  for (const row of rows) {
    if (decisions.length === limit) break;
    seen += 1;
    if (passes(row, query)) decisions.push(toDecision(row));
  }
  const isLast = seen === rows.length && rows.length < rowsToRead(query);
  const next = rows[seen - 1]?.sequence;
  return isLast || next === undefined ? { decisions } : { decisions, next };
}

function passes(row: FoundDecision, { outcome, kind }: DecisionFilter): boolean {
  const isOutcome = outcome === undefined || row.outcome === outcome;
  return isOutcome && (kind === undefined || activityKind(row) === kind) && Boolean(row.isAbout);
}

/** How many decisions of one request are looked at. A request makes a few. */
const REQUEST_ROWS = 1_000;

/** `rows` are those of one request and, if the query names one, of one agent, in any order, up to `REQUEST_ROWS`. */
function toRequestPage(rows: readonly FoundDecision[], query: DecisionQuery): DecisionPage {
  const { limit, before, from = "", to } = query;
  const newestFirst = rows.toSorted((a, b) => (a.at === b.at ? b.sequence - a.sequence : a.at < b.at ? 1 : -1));
  const start = before === undefined ? 0 : newestFirst.findIndex(({ sequence }) => sequence === before) + 1;
  const found = newestFirst.slice(start).filter((row) => passes(row, query) && row.at >= from && !(to && row.at >= to));
  const decisions = found.slice(0, limit).map(toDecision);
  const next = decisions.at(-1)?.sequence;
  return found.length > limit && next !== undefined ? { decisions, next } : { decisions };
}

export function toDecision({ isAbout: _, ...row }: DecisionRow & Partial<FoundDecision>): RecordedDecision {
  const { details, allowedDigest, blockedDigest, allowedCount, blockedCount, ...fields } = row;
  return {
    ...present(fields),
    ...(details !== null && { details: JSON.parse(details) as DecisionDetails }),
    ...(allowedCount !== null && { allowed: listRef(allowedDigest, allowedCount) }),
    ...(blockedCount !== null && { blocked: listRef(blockedDigest, blockedCount) }),
  };
}

export const detailsText = (details: DecisionDetails | undefined): string | null =>
  details === undefined ? null : canonicalJson(details);

const listRef = (digest: string | null, count: number): ListRef => ({ digest, count });

/** Before which time and sequence a page begins, when it does not go on from another one. Sorts after every time. */
const startOf = ({ to = "\u{10ffff}" }: DecisionFilter) => ({ at: to, sequence: 0 });

/** Its digest is empty where the trigger is to write it. */
type DecisionRowToAdd = DecisionToAdd & { readonly digest: string };

type DecisionToAdd = Omit<Decision, "allowed" | "blocked" | "details"> & {
  readonly details: string | null;
} & Readonly<Record<"allowedDigest" | "blockedDigest", string | undefined>> &
  Readonly<Record<"allowedCount" | "blockedCount", number | undefined>>;

const listOf = (digest: string) => `(SELECT id FROM blocked_lists WHERE tenant = $tenant AND digest = ${digest})`;

const ROW = {
  ...columnsOf("text", "at principalId principalName role agentId route allowedDigest blockedDigest outcome answerId"),
  ...columnsOf("text", "memoryId requestId namespace details"),
  ...columnsOf("bigint", "policyVersion allowedCount blockedCount"),
};

/** The same that SQLite's trigger would write, in a quarter of its time: every chat has a decision. */
const digestOf = (row: DecisionToAdd): string =>
  rowDigest(
    [
      ...[row.at, row.principalId, row.principalName, row.role, row.agentId, row.route, row.policyVersion],
      ...[row.allowedCount, row.blockedCount, row.outcome, row.answerId, row.memoryId, row.requestId, row.namespace],
      // An empty list is not on record.
      ...[row.details, row.allowedCount ? row.allowedDigest : null, row.blockedCount ? row.blockedDigest : null],
    ].map((value) => value ?? null),
  );

/** What tells a decision from another, and may be missing. */
const same = (column: string, field: string) => `${column} IS NOT DISTINCT FROM ${field}`;

/** The lists of the decisions must be on record (`NameLists.keep`). */
const insert = (memoryId: string) =>
  insertRows<DecisionRowToAdd>(
    { ...ROW, digest: "text" },
    `decisions (tenant, sequence, at, principal_id, principal_name, role, agent_id, route, policy_version, allowed_list, allowed_count,
      blocked_list, blocked_count, outcome, answer_id, request_id, memory_id, namespace, details,
      digest)`,
    `$tenant, ${nextIn("decisions", "sequence")}, :at, :principalId, :principalName, :role, :agentId, :route, :policyVersion, ${listOf(":allowedDigest")},
      :allowedCount, ${listOf(":blockedDigest")}, :blockedCount, :outcome, :answerId, :requestId, ${memoryId}, :namespace,
      :details, :digest`,
  );
// Of a capture whose fact was on record, the memory that the caller proposed is none.
const add = insert(`CASE WHEN :outcome <> 'captured'
  OR EXISTS (SELECT 1 FROM memories WHERE tenant = $tenant AND memory_id = :memoryId)
  OR EXISTS (SELECT 1 FROM superseded_memories WHERE tenant = $tenant AND memory_id = :memoryId) THEN :memoryId END`);
const addRows = insert(":memoryId");
const toRows = (decisions: readonly (Decision | undefined)[]) =>
  decisions.flatMap((decision) => (decision === undefined ? [] : toRow(decision)));
const withDigest = (row: DecisionToAdd) => ({ ...row, digest: digestOf(row) });
const withoutDigest = (row: DecisionToAdd) => ({ ...row, digest: "" });

export const decisionStatements = {
  add(decisions: readonly (Decision | undefined)[]): Statement[] {
    const rows = toRows(decisions);
    if (rows.length === 0) return [];
    const digested = () => rows.map((row) => (row.outcome === "captured" ? withoutDigest(row) : withDigest(row)));
    return [chosen({ sqlite: () => add(digested()), postgres: () => add(rows.map(withoutDigest)) })];
  },
  /** The same, of captures whose memories are known to be recorded, or left out. */
  addDecided(decisions: readonly (Decision | undefined)[]): Statement[] {
    const rows = toRows(decisions);
    if (rows.length === 0) return [];
    return [chosen({ sqlite: () => addRows(rows.map(withDigest)), postgres: () => addRows(rows.map(withoutDigest)) })];
  },
  addRows: (rows: readonly DecisionToAdd[]) => addRows(rows.map(withoutDigest)),
  /** How many equal ones there are of each of the rows that it is given. */
  countEqual: `
    SELECT (SELECT count(*) FROM decisions
      WHERE tenant = $tenant AND decisions.at = given.at AND principal_id = "principalId" AND principal_name = "principalName"
        AND decisions.role = given.role AND decisions.route = given.route AND policy_version = "policyVersion"
        AND decisions.outcome = given.outcome AND ${same("agent_id", '"agentId"')} AND ${same("answer_id", '"answerId"')}
        AND ${same("memory_id", '"memoryId"')} AND ${same("decisions.namespace", "given.namespace")}
        AND ${same("decisions.details", "given.details")}) AS count
    FROM ${tableIn("$1", ROW)} ORDER BY place`,
};

function toRow({ allowed, blocked, details, ...fields }: Decision): DecisionToAdd {
  return {
    ...fields,
    details: detailsText(details),
    allowedDigest: allowed?.digest,
    allowedCount: allowed?.names.length,
    blockedDigest: blocked?.digest,
    blockedCount: blocked?.names.length,
  };
}

const MAX_BATCH = 500;
const TIME_OF = "SELECT at, sequence FROM decisions WHERE tenant = $tenant AND sequence = $1";
const columns = (namespace: string) => `${DECISION_COLUMNS}, ${isAboutNamespace(namespace)} AS "isAbout"`;
const COLUMNS = columns("CAST($5 AS text)");
const OF_ALL = `
  SELECT ${COLUMNS} FROM decisions WHERE tenant = $tenant AND (at, sequence) < ($1, $2) AND at >= $3
  ORDER BY at DESC, sequence DESC LIMIT $4`;
// With PostgreSQL a range of the index on agent and time, whatever the planner thinks of it: an agent may have few of many
// decisions. SQLite takes that index for an equality.
const OF_AGENT = either(
  OF_ALL.replace("AND (at", "AND agent_id = $6 AND (at"),
  `
    SELECT ${COLUMNS} FROM decisions
    WHERE tenant = $tenant AND (agent_id, at, sequence) < ($6, $1, $2) AND (agent_id, at) >= ($6, $3)
    ORDER BY agent_id DESC, at DESC, sequence DESC LIMIT $4`,
);
const OF_REQUEST = `SELECT ${columns("CAST($2 AS text)")} FROM decisions WHERE tenant = $tenant AND request_id = $1`;
const ANY_REQUEST = `${OF_REQUEST} LIMIT ${REQUEST_ROWS}`;
const AGENTS_REQUEST = `${OF_REQUEST} AND agent_id = $3 LIMIT ${REQUEST_ROWS}`;

export function decisionRecords(database: Database, lists: NameLists): DecisionRecords {
  const { rows, row } = database;
  const added = database.groupCommit<Decision>(MAX_BATCH, async (batch) => {
    await lists.keepWith(batch.flatMap(listsOf), (first) => database.write(...first, ...decisionStatements.add(batch)));
    return () => undefined;
  });

  async function rowsOf(query: DecisionQuery): Promise<FoundDecision[]> {
    const { agentId, before, from = "", namespace = null } = query;
    const start =
      before === undefined
        ? startOf(query)
        : await row<ReturnType<typeof startOf>>({ text: TIME_OF, values: [before] });
    if (start === undefined) return [];
    const values = [start.at, start.sequence, from, rowsToRead(query), namespace];
    return agentId === undefined
      ? rows({ text: OF_ALL, values })
      : rows({ text: OF_AGENT, values: [...values, agentId] });
  }

  return {
    add: added,
    async page(query) {
      const { requestId, agentId, namespace = null } = query;
      if (requestId === undefined) return toDecisionPage(await rowsOf(query), query);
      const read =
        agentId === undefined
          ? { text: ANY_REQUEST, values: [requestId, namespace] }
          : { text: AGENTS_REQUEST, values: [requestId, namespace, agentId] };
      return toRequestPage(await rows<FoundDecision>(read), query);
    },
  };
}
