import type { DatabaseSync } from "node:sqlite";
import { QUESTIONS_AT_ONCE } from "#adapters/records/shared/receipts/questions.ts";
import type { IssuedReceipt } from "#ports.ts";

/** The questions that are kept with receipts. Writes must run inside a transaction. */
export interface QuestionTable {
  /** Keeps the question of a receipt, unless one of its memories is gone. */
  keep(receipt: IssuedReceipt): void;
  dropOf(answerIds: readonly string[]): void;
  /** Drops the questions of receipts that name one of these memories. */
  dropOfMemories(memoryIds: readonly string[]): void;
  /** The same for some of them. Answers how many. */
  dropSomeOfMemories(memoryIds: readonly string[]): number;
  dropAll(): void;
}

const OF_MEMORIES = `
  SELECT answer_id FROM memory_uses JOIN kept_questions USING (answer_id)
  WHERE memory_id IN (SELECT value FROM json_each(?))`;

export function questionTable(database: DatabaseSync): QuestionTable {
  const insert = database.prepare("INSERT INTO kept_questions (answer_id, question, sealed) VALUES (?, ?, ?)");
  const countOnRecord = database.prepare(
    `SELECT (SELECT count(*) FROM memories WHERE memory_id IN (SELECT value FROM json_each(:ids)))
       + (SELECT count(*) FROM superseded_memories WHERE memory_id IN (SELECT value FROM json_each(:ids))) AS count`,
  );
  const remove = database.prepare("DELETE FROM kept_questions WHERE answer_id IN (SELECT value FROM json_each(?))");
  const isAny = database.prepare("SELECT EXISTS (SELECT 1 FROM kept_questions) AS isAny");
  const removeOfMemories = database.prepare(`DELETE FROM kept_questions WHERE answer_id IN (${OF_MEMORIES})`);
  const removeSome = database.prepare(
    `DELETE FROM kept_questions WHERE answer_id IN (${OF_MEMORIES} LIMIT ${QUESTIONS_AT_ONCE})`,
  );
  // A memory can have many uses, which need not be looked at when no question is kept.
  const hasAny = () => isAny.get()?.isAny === 1;
  return {
    keep({ answerId, memoryIds, question }) {
      if (question === undefined) return;
      if (Number(countOnRecord.get({ ids: JSON.stringify(memoryIds) })?.count) < memoryIds.length) return;
      insert.run(answerId, question.text, Number(question.sealed));
    },
    dropOf: (answerIds) => void remove.run(JSON.stringify(answerIds)),
    dropOfMemories(memoryIds) {
      if (hasAny()) removeOfMemories.run(JSON.stringify(memoryIds));
    },
    dropSomeOfMemories: (memoryIds) => (hasAny() ? Number(removeSome.run(JSON.stringify(memoryIds)).changes) : 0),
    dropAll: () => database.exec("DELETE FROM kept_questions"),
  };
}
