// The questions that are kept with receipts.
import type { Database, Statement } from "#adapters/records/postgres/connection/database.ts";
import { QUESTIONS_AT_ONCE } from "#adapters/records/shared/receipts/questions.ts";
import type { IssuedReceipt } from "#ports.ts";

/**
 * A question is kept only while all memories of its receipt are on record. The lock on their rows has a forgetting of them
 * wait, and then find the question. A row that a forgetting holds already is skipped: nothing waits for it.
 */
const KEEP = `
  WITH given AS (
    SELECT * FROM json_to_recordset($1::json) AS given ("answerId" text, "memoryIds" text[], text text, sealed boolean)
  ),
  named AS (SELECT "answerId", unnest("memoryIds") AS memory_id FROM given),
  current AS (
    SELECT memory_id FROM memories WHERE memory_id IN (SELECT memory_id FROM named) FOR KEY SHARE SKIP LOCKED
  ),
  history AS (
    SELECT memory_id FROM superseded_memories WHERE memory_id IN (SELECT memory_id FROM named) FOR KEY SHARE SKIP LOCKED
  ),
  on_record AS (SELECT memory_id FROM current UNION ALL SELECT memory_id FROM history)
  INSERT INTO kept_questions (answer_id, question, sealed)
  SELECT "answerId", text, sealed FROM given
  WHERE EXISTS (SELECT FROM answers WHERE answer_id = "answerId" AND reason IS NULL) AND NOT EXISTS (
    SELECT FROM named WHERE named."answerId" = given."answerId" AND memory_id NOT IN (SELECT memory_id FROM on_record))`;

/** Comes after the statement that records the receipts. */
export function keepQuestions(receipts: readonly IssuedReceipt[]): Statement[] {
  const rows = receipts.flatMap(
    ({ answerId, memoryIds, question }) => question && { answerId, memoryIds, ...question },
  );
  const kept = rows.filter((row) => row !== undefined);
  return kept.length === 0 ? [] : [{ text: KEEP, values: [JSON.stringify(kept)] }];
}

// A memory can have many uses, which need not be looked at when no question is kept.
const OF_MEMORIES = `
  SELECT answer_id FROM memory_uses JOIN kept_questions USING (answer_id)
  WHERE memory_id = ANY ($1) AND EXISTS (SELECT FROM kept_questions)`;

/** Comes after the statement that removes the memories. */
export const dropQuestionsOf = (memoryIds: readonly string[]): Statement => ({
  text: `DELETE FROM kept_questions WHERE answer_id IN (${OF_MEMORIES})`,
  values: [memoryIds],
});

export const dropAllQuestions: Statement = { text: "DELETE FROM kept_questions", values: [] };

const DROP_SOME = `
  WITH dropped AS (
    DELETE FROM kept_questions WHERE answer_id IN (${OF_MEMORIES} LIMIT ${QUESTIONS_AT_ONCE}) RETURNING 1)
  SELECT count(*) AS count FROM dropped`;

/** Drops most questions of memories that are about to be forgotten, in steps. */
export async function dropMostQuestions(database: Database, memoryIds: readonly string[]): Promise<void> {
  const step = { text: DROP_SOME, values: [memoryIds] };
  while (((await database.row<{ count: number }>(step))?.count ?? 0) === QUESTIONS_AT_ONCE);
}
