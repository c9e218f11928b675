// Rows of the decision log, and pages of them, newest first.

import { UNLIMITED } from "#adapters/records/shared/paging.ts";
import { activityKind } from "#core/activity-kind.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import type { DecisionDetails, DecisionFilter, DecisionPage, ListRef, PageOf, RecordedDecision } from "#ports.ts";

export type DecisionQuery = PageOf<number> & DecisionFilter;

/** The columns of `decisions` beside its lists, under the names of the fields. */
export const DECISION_COLUMNS = `sequence, at, principal_id AS "principalId", principal_name AS "principalName", role,
  agent_id AS "agentId", route, policy_version AS "policyVersion", outcome, answer_id AS "answerId",
  memory_id AS "memoryId", request_id AS "requestId", namespace, details, allowed_count AS "allowedCount",
  blocked_count AS "blockedCount", (SELECT digest FROM blocked_lists WHERE id = allowed_list) AS "allowedDigest",
  (SELECT digest FROM blocked_lists WHERE id = blocked_list) AS "blockedDigest"`;

/** Whether a row is about the namespace of the query, or held it back. `given` is the SQL of that name, or of NULL. */
export const isAboutNamespace = (given: string): string => `
  (${given} IS NULL OR namespace = ${given} OR EXISTS (
    SELECT 1 FROM blocked_names WHERE list = blocked_list AND blocked_names.namespace = ${given}))`;

type Nullable = "agentId" | "answerId" | "memoryId" | "requestId" | "namespace" | "details";

export type DecisionRow = Omit<RecordedDecision, "allowed" | "blocked" | Nullable> & {
  readonly [Column in Nullable | "allowedDigest" | "blockedDigest"]: string | null;
} & { readonly [Column in "allowedCount" | "blockedCount"]: number | null };

/** A row of a page, with whether it is about the namespace of the query. */
export type FoundDecision = DecisionRow & { readonly isAbout: number | boolean };

const isFiltered = ({ outcome, kind, namespace }: DecisionFilter) =>
  outcome !== undefined || kind !== undefined || namespace !== undefined;

/** How many rows to read. Without such a filter, one row more than the limit shows that there is a next page. */
export function rowsToRead(query: DecisionQuery): number {
  const { limit, scan = UNLIMITED } = query;
  return isFiltered(query) ? scan : Math.min(limit + 1, scan);
}

/** `rows` are the next ones of the log, up to `rowsToRead`. No index knows what they are about, so that is filtered here. */
export function toDecisionPage(rows: readonly FoundDecision[], query: DecisionQuery): DecisionPage {
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
export const REQUEST_ROWS = 1_000;

/** `rows` are those of one request and, if the query names one, of one agent, in any order, up to `REQUEST_ROWS`. */
export function toRequestPage(rows: readonly FoundDecision[], query: DecisionQuery): DecisionPage {
  const { limit, before, from = "", to } = query;
  const newestFirst = rows.toSorted((a, b) => (a.at === b.at ? b.sequence - a.sequence : a.at < b.at ? 1 : -1));
  const start = before === undefined ? 0 : newestFirst.findIndex(({ sequence }) => sequence === before) + 1;
  const found = newestFirst.slice(start).filter((row) => passes(row, query) && row.at >= from && !(to && row.at >= to));
  const decisions = found.slice(0, limit).map(toDecision);
  const next = decisions.at(-1)?.sequence;
  return found.length > limit && next !== undefined ? { decisions, next } : { decisions };
}

export function toDecision({ isAbout: _, ...row }: DecisionRow & Partial<FoundDecision>): RecordedDecision {
  const { agentId, answerId, memoryId, requestId, namespace, details, allowedDigest, blockedDigest, ...counted } = row;
  const { allowedCount, blockedCount, ...fields } = counted;
  return {
    ...fields,
    ...(requestId !== null && { requestId }),
    ...(agentId !== null && { agentId }),
    ...(answerId !== null && { answerId }),
    ...(memoryId !== null && { memoryId }),
    ...(namespace !== null && { namespace }),
    ...(details !== null && { details: JSON.parse(details) as DecisionDetails }),
    ...(allowedCount !== null && { allowed: listRef(allowedDigest, allowedCount) }),
    ...(blockedCount !== null && { blocked: listRef(blockedDigest, blockedCount) }),
  };
}

export const detailsText = (details: DecisionDetails | undefined): string | null =>
  details === undefined ? null : canonicalJson(details);

const listRef = (digest: string | null, count: number): ListRef => ({ digest, count });

/** Before which time and sequence a page begins, when it does not go on from another one. Sorts after every time. */
export const startOf = ({ to = "\u{10ffff}" }: DecisionFilter) => ({ at: to, sequence: 0 });
