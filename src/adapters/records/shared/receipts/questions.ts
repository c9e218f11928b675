// The questions that are kept with receipts.
import type { Database, Statement } from "#adapters/records/shared/sql.ts";
import { among, either, hasMemory, statement, within } from "#adapters/records/shared/sql.ts";
import type { IssuedReceipt } from "#ports.ts";

/** How many one step drops before their memory is forgotten: that holds everybody up, so few are left to it. */
export const QUESTIONS_AT_ONCE = 500;

const lockedIn = (table: string) => `
  SELECT memory_id FROM ${table} WHERE tenant = $tenant AND memory_id IN (SELECT memory_id FROM named)
  FOR KEY SHARE SKIP LOCKED`;
// A question is kept only while all memories of its receipt are on record.
const KEEP = statement`${either(
  `
    INSERT INTO kept_questions (tenant, answer_id, question, encrypted)
    SELECT $tenant, $1, $2, $3
    WHERE EXISTS (SELECT 1 FROM answers WHERE tenant = $tenant AND answer_id = $1 AND reason IS NULL) AND NOT EXISTS (
      SELECT 1 FROM json_each($4) WHERE NOT ${hasMemory("memory_id = value")})`,
  // The lock on their rows has a forgetting of them wait, and then find the question. A row that a forgetting holds already
  // is skipped: nothing waits for it.
  `
    WITH named AS (SELECT unnest($4::text[]) AS memory_id),
    current AS (${lockedIn("memories")}), history AS (${lockedIn("superseded_memories")})
    INSERT INTO kept_questions (tenant, answer_id, question, encrypted)
    SELECT $tenant, $1::text, $2::text, $3::boolean
    WHERE EXISTS (SELECT FROM answers WHERE tenant = $tenant AND answer_id = $1 AND reason IS NULL) AND NOT EXISTS (
      SELECT FROM named WHERE memory_id NOT IN (SELECT memory_id FROM current UNION ALL SELECT memory_id FROM history))`,
)}`;

const ANY = statement`SELECT 1 FROM kept_questions WHERE tenant = $tenant LIMIT 1`;
// A memory can have many uses, which need not be looked at when no question is kept.
const ofMemories = `
  SELECT answer_id FROM memory_uses JOIN kept_questions USING (tenant, answer_id)
  WHERE tenant = $tenant AND ${among("memory_id", "$1")}
    AND EXISTS (SELECT 1 FROM kept_questions WHERE tenant = $tenant)`;
const DROP = statement`DELETE FROM kept_questions WHERE tenant = $tenant AND ${within("answer_id", ofMemories)}`;
const DROP_OF = statement`DELETE FROM kept_questions WHERE tenant = $tenant AND ${among("answer_id", "$1")}`;
const DROP_SOME = statement`
  DELETE FROM kept_questions
  WHERE tenant = $tenant AND ${within("answer_id", `${ofMemories} LIMIT ${QUESTIONS_AT_ONCE}`)}
  RETURNING answer_id`;

export const questionStatements = {
  /** Comes after the statements that record the receipts. */
  keep: (receipts: readonly IssuedReceipt[]): Statement[] =>
    receipts.flatMap(({ answerId, memoryIds, question }) =>
      question === undefined ? [] : [KEEP(answerId, question.text, question.encrypted, memoryIds)],
    ),
  dropOf: (answerIds: readonly string[]): Statement => DROP_OF(answerIds),
  /** Comes after the statements that remove the memories. */
  dropOfMemories: (memoryIds: readonly string[]): Statement => DROP(memoryIds),
  dropAll: statement`DELETE FROM kept_questions WHERE tenant = $tenant`,
  /** Drops most questions of memories that are about to be forgotten, in steps, so that other work goes on between them. */
  async dropMost({ row, reserve }: Database, memoryIds: readonly string[]): Promise<void> {
    if ((await row(ANY())) === undefined) return;
    const step = DROP_SOME(memoryIds);
    while ((await reserve.change(step)).length === QUESTIONS_AT_ONCE);
  },
};
