// Receipts and decisions of another service.
import type { Database, Statement } from "#adapters/records/postgres/connection/database.ts";
import { addReceipts, breakOffReceipts, openReceipts } from "#adapters/records/postgres/tables/receipts.ts";
import { detailsText } from "#adapters/records/shared/logs/decisions.ts";
import type { RestoredDecision, RestoredReceipt } from "#ports.ts";

const COMPLETE = `SELECT answer_id AS "answerId" FROM receipts WHERE answer_id = ANY ($1)`;
const OPENED = `SELECT answer_id AS "answerId" FROM opened_receipts WHERE answer_id = ANY ($1) FOR UPDATE`;
const MARK = `INSERT INTO imported_receipts (answer_id) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`;
/** Answers are counted in parts, one for each process that serves. */
const SHARD = 0;

/** A complete receipt takes the place of one that is opened here, as at the end of an answer. */
export function restoreReceipts(database: Database, receipts: readonly RestoredReceipt[]): Promise<number> {
  const ids = receipts.map(({ answerId }) => answerId);
  const reads = [COMPLETE, OPENED].map((text) => ({ text, values: [ids] }));
  return database.readThenWrite(reads, (found) => {
    const [complete, opened] = found.map(
      (rows) => new Set((rows as { answerId: string }[]).map((row) => row.answerId)),
    );
    const missing = receipts.filter(
      ({ answerId, counts }) => !complete?.has(answerId) && (counts !== undefined || !opened?.has(answerId)),
    );
    return { statements: missing.length === 0 ? [] : statementsFor(missing), outcome: missing.length };
  });
}

function statementsFor(missing: readonly RestoredReceipt[]): Statement[] {
  const rows = missing.map(({ blockedDigest, counts, reason: _, seed = null, ...row }) => ({
    ...row,
    ...counts,
    // The column may be empty: receipts of the former format have no seed.
    seed: seed as string,
    // Another service gave its memories.
    usedNamespaces: [],
    isComplete: counts !== undefined,
    ...(blockedDigest !== undefined && { blockedList: { digest: blockedDigest, names: [] } }),
  }));
  const issued = rows.filter(({ isComplete }) => isComplete).map((row) => ({ ...NO_COUNTS, ...row }));
  const broken = missing.flatMap(({ answerId, agentId, createdAt: at, reason }) =>
    reason === undefined ? [] : { answerId, agentId, at, reason },
  );
  return [
    ...openReceipts(rows.filter(({ isComplete }) => !isComplete)),
    ...addReceipts(issued, SHARD),
    ...(broken.length === 0 ? [] : [breakOffReceipts(broken, SHARD)]),
    { text: MARK, values: [missing.map(({ answerId }) => answerId)] },
  ];
}

const NO_COUNTS = { used: 0, verified: 0, intact: 0 };

const COLUMNS = `at text, "principalId" text, "principalName" text, role text, "agentId" text, route text,
  "policyVersion" bigint, "allowedDigest" text, "allowedCount" bigint, "blockedDigest" text, "blockedCount" bigint,
  outcome text, "answerId" text, "memoryId" text, namespace text, details text`;
const COUNT_EQUAL = `
  SELECT (SELECT count(*) FROM decisions
    WHERE decisions.at = given.at AND principal_id = "principalId" AND principal_name = "principalName"
      AND decisions.role = given.role AND agent_id IS NOT DISTINCT FROM "agentId" AND decisions.route = given.route
      AND policy_version = "policyVersion" AND decisions.outcome = given.outcome
      AND answer_id IS NOT DISTINCT FROM "answerId" AND memory_id IS NOT DISTINCT FROM "memoryId"
      AND decisions.namespace IS NOT DISTINCT FROM given.namespace
      AND decisions.details IS NOT DISTINCT FROM given.details) AS count
  FROM ROWS FROM (json_to_recordset($1::json) AS (${COLUMNS}))
    WITH ORDINALITY AS given (at, "principalId", "principalName", role, "agentId", route, "policyVersion",
      "allowedDigest", "allowedCount", "blockedDigest", "blockedCount", outcome, "answerId", "memoryId", namespace, details, place)
  ORDER BY place`;
const ADD = `
  INSERT INTO decisions (at, principal_id, principal_name, role, agent_id, route, policy_version, allowed_list,
    allowed_count, blocked_list, blocked_count, outcome, answer_id, memory_id, namespace, details)
  SELECT at, "principalId", "principalName", role, "agentId", route, "policyVersion",
    (SELECT id FROM blocked_lists WHERE digest = "allowedDigest"), "allowedCount",
    (SELECT id FROM blocked_lists WHERE digest = "blockedDigest"), "blockedCount", outcome, "answerId", "memoryId",
    namespace, details
  FROM json_to_recordset($1::json) AS given (${COLUMNS})`;

/** Equal decisions are told apart by their number. */
export function restoreDecisions(database: Database, decisions: readonly RestoredDecision[]): Promise<number> {
  const rows = decisions.map(({ allowed, blocked, copy: _, details, ...fields }) => ({
    ...fields,
    details: detailsText(details),
    allowedDigest: allowed?.digest,
    allowedCount: allowed?.count,
    blockedDigest: blocked?.digest,
    blockedCount: blocked?.count,
  }));
  return database.readThenWrite([{ text: COUNT_EQUAL, values: [JSON.stringify(rows)] }], ([counts = []]) => {
    const known = (counts as { count: number }[]).map(({ count }) => Number(count));
    const missing = rows.filter((_, i) => (decisions[i]?.copy ?? 0) >= (known[i] ?? 0));
    const statements = missing.length === 0 ? [] : [{ text: ADD, values: [JSON.stringify(missing)] }];
    return { statements, outcome: missing.length };
  });
}
