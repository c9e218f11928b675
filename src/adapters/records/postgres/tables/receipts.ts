// Statements that change receipts. Complete ones are append-only; what they are searched by stands apart, in the narrow
// rows of `answers`. Those that are not complete are in `opened_receipts`. `shard` is the part of `answer_hours` to count in.
import type { Statement } from "#adapters/records/postgres/connection/database.ts";
import { ABANDONED_AT_ONCE, MOST_COUNTED } from "#adapters/records/shared/receipts/receipt-pages.ts";
import type { BrokenOff, IssuedReceipt, OpenedRecord } from "#ports.ts";
import { keepQuestions } from "./questions.ts";

/** A pair that is on record takes no lock. New ones are taken in the order of names, so that no two commits deadlock. */
const recordGates = (receipts: string) => `
  INSERT INTO used_gates (agent_id, namespace, first_used_at)
  SELECT "agentId", namespace, min("createdAt") FROM ${receipts}, unnest("usedNamespaces") AS namespace
  GROUP BY 1, 2 ORDER BY 1, 2 ON CONFLICT DO NOTHING`;

const OPEN = `
  WITH opened AS (
    SELECT * FROM json_to_recordset($1::json) AS opened ("answerId" text, "agentId" text, "createdAt" text,
      namespaces text[], "memoryIds" text[], "usedNamespaces" text[], "blockedDigest" text, body text, seed text, model text)
  ),
  uses AS (INSERT INTO memory_uses (memory_id, answer_id) SELECT DISTINCT unnest("memoryIds"), "answerId" FROM opened),
  gates AS (${recordGates("opened")})
  INSERT INTO opened_receipts (answer_id, agent_id, created_at, namespaces, blocked_list, body, seed, model)
  SELECT "answerId", "agentId", "createdAt", namespaces, (SELECT id FROM blocked_lists WHERE digest = "blockedDigest"), body,
    seed, model
  FROM opened`;

export function openReceipts(batch: readonly OpenedRecord[]): Statement[] {
  return batch.length === 0 ? [] : [{ text: OPEN, values: [JSON.stringify(batch.map(toRow))] }];
}

/**
 * One that was taken for abandoned has been counted as broken off. One whose answer was given up, because this commit
 * seemed to fail, stays broken off.
 */
const ADD = `
  WITH added AS (
    SELECT * FROM json_to_recordset($1::json) AS added ("answerId" text, "agentId" text, "createdAt" text,
      namespaces text[], "memoryIds" text[], "usedNamespaces" text[], "blockedDigest" text, used bigint, verified bigint,
      intact bigint, body text, seed text, model text)
  ),
  opened AS (
    DELETE FROM opened_receipts WHERE answer_id IN (SELECT "answerId" FROM added) RETURNING answer_id, reason
  ),
  uses AS (
    -- The opened receipt names all that the complete one does.
    INSERT INTO memory_uses (memory_id, answer_id)
    SELECT DISTINCT unnest("memoryIds"), "answerId" FROM added WHERE "answerId" NOT IN (SELECT answer_id FROM opened)
  ),
  gates AS (${recordGates("added")}),
  receipt_rows AS (
    INSERT INTO receipts (answer_id, agent_id, created_at, body, seed)
    SELECT "answerId", "agentId", "createdAt", body, seed FROM added
  ),
  answer_rows AS (
    INSERT INTO answers (answer_id, agent_id, is_verified, namespaces, blocked_list, reason, model)
    SELECT "answerId", "agentId", verified = used AND intact = used, namespaces,
      (SELECT id FROM blocked_lists WHERE digest = "blockedDigest"), nullif(reason, 'abandoned'), model
    FROM added LEFT JOIN opened ON answer_id = "answerId"
  )
  INSERT INTO answer_hours AS hours (hour, part, answers, used, verified, intact, broken_off)
  SELECT left("createdAt", 13) AS hour, $2::integer, count(*), sum(used), sum(verified), sum(intact),
    -count(*) FILTER (WHERE reason = 'abandoned')
  FROM added LEFT JOIN opened ON answer_id = "answerId" GROUP BY 1 ORDER BY 1
  ON CONFLICT (hour, part) DO UPDATE SET answers = hours.answers + excluded.answers, used = hours.used + excluded.used,
    verified = hours.verified + excluded.verified, intact = hours.intact + excluded.intact,
    broken_off = hours.broken_off + excluded.broken_off`;

export function addReceipts(batch: readonly IssuedReceipt[], shard: number): Statement[] {
  if (batch.length === 0) return [];
  return [{ text: ADD, values: [JSON.stringify(batch.map(toRow)), shard] }, ...keepQuestions(batch)];
}

function toRow<R extends OpenedRecord & { readonly question?: unknown }>({ blockedList, question: _, ...row }: R) {
  return { ...row, blockedDigest: blockedList?.digest ?? null };
}

/** Counts the rows of `marked`, which have a `created_at`, as broken off. */
const COUNT_BROKEN_OFF = `
  INSERT INTO answer_hours AS hours (hour, part, answers, used, verified, intact, broken_off)
  SELECT left(created_at, 13) AS hour, $2::integer, 0, 0, 0, 0, count(*) FROM marked GROUP BY 1 ORDER BY 1
  ON CONFLICT (hour, part) DO UPDATE SET broken_off = hours.broken_off + excluded.broken_off`;

const BREAK_OFF = `
  WITH broken AS (SELECT * FROM json_to_recordset($1::json) AS broken ("answerId" text, reason text)),
  opened AS (
    UPDATE opened_receipts SET reason = broken.reason FROM broken
    WHERE answer_id = "answerId" AND opened_receipts.reason IS NULL RETURNING answer_id, created_at
  ),
  complete AS (
    UPDATE answers SET reason = broken.reason FROM broken, receipts
    WHERE answers.answer_id = "answerId" AND receipts.answer_id = "answerId" AND answers.reason IS NULL
    RETURNING answers.answer_id, receipts.created_at
  ),
  marked AS (SELECT * FROM opened UNION ALL SELECT * FROM complete),
  questions AS (DELETE FROM kept_questions WHERE answer_id IN (SELECT answer_id FROM marked)),
  counted AS (${COUNT_BROKEN_OFF})
  SELECT answer_id AS "answerId" FROM marked`;

/** Answers with the ids that are marked by it. */
export function breakOffReceipts(batch: readonly BrokenOff[], shard: number): Statement {
  const rows = batch.map(({ answerId, reason }) => ({ answerId, reason }));
  return { text: BREAK_OFF, values: [JSON.stringify(rows), shard] };
}

const ABANDON = `
  WITH marked AS (
    UPDATE opened_receipts SET reason = 'abandoned' WHERE reason IS NULL AND answer_id IN (
      SELECT answer_id FROM opened_receipts WHERE reason IS NULL AND created_at < $1 LIMIT ${ABANDONED_AT_ONCE}
    ) RETURNING created_at
  ),
  counted AS (${COUNT_BROKEN_OFF})
  SELECT count(*) AS count FROM marked`;

/** Answers with the number of receipts that it marked. */
export const abandonReceipts = (openedBefore: string, shard: number): Statement => ({
  text: ABANDON,
  values: [openedBefore, shard],
});

export const COUNT_OPENED: Statement = {
  text: `SELECT count(*) AS count FROM (SELECT FROM opened_receipts WHERE reason IS NULL LIMIT ${MOST_COUNTED}) AS opened`,
  values: [],
};
