// The decision log, and pages of it, newest first.

import { DECISION_FIELDS, rowDigest } from "#adapters/records/shared/database/row-digest.ts";
import { present } from "#adapters/records/shared/rows.ts";
import * as sql from "#adapters/records/shared/sql.ts";
import { activityKind, type DecisionDetails } from "#core/activity-kind.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import type { NameList } from "#core/encoding/digest.ts";
import type * as ports from "#ports.ts";
import { listsOf, type NameLists } from "./name-lists.ts";

type DecisionQuery = ports.PageOf<number> & ports.DecisionFilter;

const FIELDS = `at principalId principalName role agentId route policyVersion:bigint outcome answerId memoryId requestId
  namespace details allowedCount:bigint blockedCount:bigint`;
const DIGESTS = "allowedDigest blockedDigest";
const digestOfList = (list: string) => `(SELECT digest FROM blocked_lists WHERE tenant = $tenant AND id = ${list})`;
export const DECISION_COLUMNS = `${sql.columns(`sequence ${FIELDS}`)}, ${digestOfList("allowed_list")} AS "allowedDigest",
  ${digestOfList("blocked_list")} AS "blockedDigest"`;

type Nullable = "agentId" | "answerId" | "memoryId" | "requestId" | "namespace" | "details";

export type DecisionRow = Omit<ports.RecordedDecision, "allowed" | "blocked" | Nullable> & {
  readonly [Column in Nullable | "allowedDigest" | "blockedDigest"]: string | null;
} & { readonly [Column in "allowedCount" | "blockedCount"]: number | null };

/** A row of a page, with whether it is about the namespace of the query. */
type FoundDecision = DecisionRow & { readonly isAbout: number | boolean };

const isFiltered = ({ outcome, kind, namespace }: ports.DecisionFilter) =>
  outcome !== undefined || kind !== undefined || namespace !== undefined;

/** How many rows to read. Without such a filter, one row more than the limit shows that there is a next page. */
function rowsToRead(query: DecisionQuery): number {
  const { limit, scan = sql.UNLIMITED } = query;
  return isFiltered(query) ? scan : Math.min(limit + 1, scan);
}

/** `rows` are the next ones of the log, up to `rowsToRead`. No index knows what they are about, so that is filtered here. */
function toDecisionPage(rows: readonly FoundDecision[], query: DecisionQuery): ports.DecisionPage {
  const { limit } = query;
  const decisions: ports.RecordedDecision[] = [];
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

function passes(row: FoundDecision, { outcome, kind }: ports.DecisionFilter): boolean {
  const isOutcome = outcome === undefined || row.outcome === outcome;
  return isOutcome && (kind === undefined || activityKind(row) === kind) && Boolean(row.isAbout);
}

/** How many decisions of one request are looked at. Callers may choose its id. */
const REQUEST_ROWS = 1_000;

export function toDecision({ isAbout: _, ...row }: DecisionRow & Partial<FoundDecision>): ports.RecordedDecision {
  const { details, allowedDigest, blockedDigest, allowedCount, blockedCount, ...fields } = row;
  return {
    ...present(fields),
    ...(details !== null && { details: JSON.parse(details) as DecisionDetails }),
    ...(allowedCount !== null && { allowed: { digest: allowedDigest, count: allowedCount } }),
    ...(blockedCount !== null && { blocked: { digest: blockedDigest, count: blockedCount } }),
  };
}

/** Before which time and sequence a page begins, when it does not go on from another one. Sorts after every time. */
const startOf = ({ to = "\u{10ffff}" }: ports.DecisionFilter) => ({ at: to, sequence: 0 });

/** Its digest is empty where the trigger is to write it. */
type DecisionRowToAdd = DecisionToAdd & { readonly digest: string };

type DecisionToAdd = ReturnType<typeof toRow>;

const listOf = (digest: string) => `(SELECT id FROM blocked_lists WHERE tenant = $tenant AND digest = ${digest})`;

/** The same that SQLite's trigger would write, in a quarter of its time: every chat has a decision. */
const digestOf = (row: DecisionToAdd): string =>
  rowDigest([
    ...DECISION_FIELDS.map((field) => row[field] ?? null),
    // An empty list is not on record.
    (row.allowedCount ? row.allowedDigest : null) ?? null,
    (row.blockedCount ? row.blockedDigest : null) ?? null,
  ]);

/** The lists of the decisions must be on record (`NameLists.keep`). */
const insert = sql.insertRows<DecisionRowToAdd>("decisions", `${FIELDS} digest`, {
  values: {
    sequence: sql.nextIn("decisions", "sequence"),
    allowed_list: listOf(":allowedDigest"),
    blocked_list: listOf(":blockedDigest"),
  },
  further: DIGESTS,
});
const withDigest = (row: DecisionToAdd) => ({ ...row, digest: digestOf(row) });
const withoutDigest = (row: DecisionToAdd) => ({ ...row, digest: "" });

export const decisionStatements = {
  add(decisions: readonly (ports.Decision | undefined)[]): sql.Statement[] {
    const rows = decisions.flatMap((decision) => (decision === undefined ? [] : toRow(decision)));
    if (rows.length === 0) return [];
    return [
      sql.chosen({ sqlite: () => insert(rows.map(withDigest)), postgres: () => insert(rows.map(withoutDigest)) }),
    ];
  },
  /** Of rows that are on record elsewhere. */
  addRows: (rows: readonly DecisionToAdd[]) => insert(rows.map(withoutDigest)),
  /** How many equal ones there are of each of the rows that it is given. */
  countEqual: sql.value<number>`
    SELECT (SELECT count(*) FROM decisions WHERE tenant = $tenant AND decisions.at = given.at AND
      (principal_id, principal_name, decisions.role, decisions.route, policy_version, decisions.outcome, agent_id, answer_id,
        memory_id, decisions.namespace, decisions.details)
      IS NOT DISTINCT FROM ("principalId", "principalName", given.role, given.route, "policyVersion", given.outcome, "agentId",
        "answerId", "memoryId", given.namespace, given.details))
    FROM ${sql.tableIn("$1", `${FIELDS} ${DIGESTS}`)} ORDER BY place`,
};

type Listed = NameList | ports.ListRef | undefined;
const countOf = (list: Listed) => (list && "names" in list ? list.names.length : list?.count);

type GivenDecision = Omit<ports.Decision, "allowed" | "blocked"> & {
  readonly [List in "allowed" | "blocked"]?: Listed;
};

/** Also of a decision that was read: its lists have their counts. */
export function toRow({ allowed, blocked, details, ...fields }: GivenDecision) {
  return {
    ...fields,
    details: details === undefined ? null : canonicalJson(details),
    allowedDigest: allowed?.digest ?? undefined,
    allowedCount: countOf(allowed),
    blockedDigest: blocked?.digest ?? undefined,
    blockedCount: countOf(blocked),
  };
}

const MAX_BATCH = 500;
const TIME_OF = sql.statement<Pick<ports.Decision, "at"> & { sequence: number }>`
  SELECT at, sequence FROM decisions WHERE tenant = $tenant AND sequence = $1`;
/** With whether it is about the namespace $5, if that is given, or held it back. */
const COLUMNS = `${DECISION_COLUMNS}, (CAST($5 AS text) IS NULL OR namespace = $5 OR EXISTS (
  SELECT 1 FROM blocked_names WHERE tenant = $tenant AND list = blocked_list AND blocked_names.namespace = $5)) AS "isAbout"`;
const RANGE = "(at, sequence) < ($1, $2) AND at >= $3 ORDER BY at DESC, sequence DESC LIMIT $4";
const OF_ALL = sql.statement<FoundDecision>`SELECT ${COLUMNS} FROM decisions WHERE tenant = $tenant AND ${RANGE}`;
// With PostgreSQL a range of the index on agent and time, whatever the planner thinks of it: an agent may have few of many
// decisions. SQLite takes that index for an equality.
const RANGE_OF_AGENT = sql.either(
  `agent_id = $6 AND ${RANGE}`,
  `(agent_id, at, sequence) < ($6, $1, $2) AND (agent_id, at) >= ($6, $3)
    ORDER BY agent_id DESC, at DESC, sequence DESC LIMIT $4`,
);
const OF_AGENT = sql.statement<FoundDecision>`
  SELECT ${COLUMNS} FROM decisions WHERE tenant = $tenant AND ${RANGE_OF_AGENT}`;
const ofRequest = (condition: string) => sql.statement<FoundDecision>`
  SELECT ${COLUMNS} FROM (
    SELECT * FROM decisions WHERE tenant = $tenant AND request_id = $6 ${condition} LIMIT ${REQUEST_ROWS}) AS found
  WHERE ${RANGE}`;
const ANY_OF_REQUEST = ofRequest("");
const AGENTS_OF_REQUEST = ofRequest("AND agent_id = $7");

export function decisionRecords(database: sql.Database, lists: NameLists): ports.DecisionRecords {
  const { rows, row } = database;
  const added = database.groupCommit<ports.Decision>(MAX_BATCH, async (batch) => {
    await lists.keepWith(batch.flatMap(listsOf), (first) => database.write(...first, ...decisionStatements.add(batch)));
    return () => undefined;
  });

  async function rowsOf(query: DecisionQuery): Promise<FoundDecision[]> {
    const { agentId, requestId, before, from = "", namespace = null } = query;
    const start = before === undefined ? startOf(query) : await row(TIME_OF(before));
    if (start === undefined) return [];
    const values = [start.at, start.sequence, from, rowsToRead(query), namespace];
    if (requestId === undefined) return rows(agentId === undefined ? OF_ALL(...values) : OF_AGENT(...values, agentId));
    if (agentId === undefined) return rows(ANY_OF_REQUEST(...values, requestId));
    return rows(AGENTS_OF_REQUEST(...values, requestId, agentId));
  }

  return {
    add: added,
    page: async (query) => toDecisionPage(await rowsOf(query), query),
  };
}
