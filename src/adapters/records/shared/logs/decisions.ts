// Rows of the decision log, and pages of them, newest first.

import { UNLIMITED } from "#adapters/records/shared/paging.ts";
import type { DecisionFilter, DecisionPage, ListRef, PageOf, RecordedDecision } from "#ports.ts";

export type DecisionQuery = PageOf<number> & DecisionFilter;

/** The columns of `decisions` beside its lists, under the names of the fields. */
export const DECISION_COLUMNS = `sequence, at, principal_id AS "principalId", principal_name AS "principalName", role,
  agent_id AS "agentId", route, policy_version AS "policyVersion", outcome, answer_id AS "answerId",
  memory_id AS "memoryId", allowed_count AS "allowedCount", blocked_count AS "blockedCount",
  (SELECT digest FROM blocked_lists WHERE id = allowed_list) AS "allowedDigest",
  (SELECT digest FROM blocked_lists WHERE id = blocked_list) AS "blockedDigest"`;

export type DecisionRow = Omit<RecordedDecision, "allowed" | "blocked" | "agentId" | "answerId" | "memoryId"> & {
  readonly [Column in "agentId" | "answerId" | "memoryId" | "allowedDigest" | "blockedDigest"]: string | null;
} & { readonly [Column in "allowedCount" | "blockedCount"]: number | null };

/** How many rows to read. Without a filter by outcome, one row more than the limit shows that there is a next page. */
export function rowsToRead({ limit, scan = UNLIMITED, outcome }: DecisionQuery): number {
  return outcome === undefined ? Math.min(limit + 1, scan) : scan;
}

/** `rows` are the next ones of the log, up to `rowsToRead`. No index knows the outcome, so it is filtered here. */
export function toDecisionPage(rows: readonly DecisionRow[], query: DecisionQuery): DecisionPage {
  const { limit, outcome } = query;
  const decisions: RecordedDecision[] = [];
  let seen = 0;
  for (const row of rows) {
    if (decisions.length === limit) break;
    seen += 1;
    if (outcome === undefined || row.outcome === outcome) decisions.push(toDecision(row));
  }
  const isLast = seen === rows.length && rows.length < rowsToRead(query);
  const next = rows[seen - 1]?.sequence;
  return isLast || next === undefined ? { decisions } : { decisions, next };
}

export function toDecision(row: DecisionRow): RecordedDecision {
  const { agentId, answerId, memoryId, allowedDigest, blockedDigest, allowedCount, blockedCount, ...fields } = row;
  return {
    ...fields,
    ...(agentId !== null && { agentId }),
    ...(answerId !== null && { answerId }),
    ...(memoryId !== null && { memoryId }),
    ...(allowedCount !== null && { allowed: listRef(allowedDigest, allowedCount) }),
    ...(blockedCount !== null && { blocked: listRef(blockedDigest, blockedCount) }),
  };
}

const listRef = (digest: string | null, count: number): ListRef => ({ digest, count });

/** Before which time and sequence a page begins, when it does not go on from another one. Sorts after every time. */
export const startOf = ({ to = "\u{10ffff}" }: DecisionFilter) => ({ at: to, sequence: 0 });
