import type { DatabaseSync } from "node:sqlite";
import { hourTable } from "#adapters/records/sqlite/tables/answer-hours.ts";
import type { RestoredReceipt } from "#ports.ts";

/** Receipts that another service issued. Writes must run inside a transaction. */
export function restoredReceipts(database: DatabaseSync) {
  const hours = hourTable(database);
  const isComplete = database.prepare("SELECT 1 FROM receipts WHERE answer_id = ?");
  const isOpened = database.prepare("SELECT 1 FROM opened_receipts WHERE answer_id = ?");
  const deleteOpened = database.prepare("DELETE FROM opened_receipts WHERE answer_id = ? RETURNING reason");
  const insert = database.prepare(
    "INSERT INTO receipts (answer_id, agent_id, created_at, body, seed) VALUES (?, ?, ?, ?, ?)",
  );
  const listOf = "(SELECT id FROM blocked_lists WHERE digest = ?)";
  const insertAnswer = database.prepare(
    `INSERT INTO answers (answer_id, agent_id, is_verified, namespaces, reason, model, blocked_list)
     VALUES (?, ?, ?, ?, ?, ?, ${listOf})`,
  );
  const insertOpened = database.prepare(
    `INSERT INTO opened_receipts (answer_id, agent_id, created_at, namespaces, body, seed, reason, model, blocked_list)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${listOf})`,
  );
  const insertUse = database.prepare(
    "INSERT INTO memory_uses (memory_id, answer_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
  );
  const mark = database.prepare("INSERT INTO imported_receipts (answer_id) VALUES (?) ON CONFLICT DO NOTHING");

  /** Whether it was recorded. */
  function restoreOne(receipt: RestoredReceipt): boolean {
    const { answerId, agentId, createdAt, body, counts, model } = receipt;
    const { blockedDigest = null, seed = null, reason = null } = receipt;
    const namespaces = JSON.stringify(receipt.namespaces);
    const brokenOff = Number(reason !== null);
    if (isComplete.get(answerId) !== undefined) return false;
    if (counts === undefined) {
      if (isOpened.get(answerId) !== undefined) return false;
      insertOpened.run(answerId, agentId, createdAt, namespaces, body, seed, reason, model, blockedDigest);
      hours.add(createdAt, { brokenOff });
    } else {
      const wasBrokenOff = Number((deleteOpened.get(answerId)?.reason ?? null) !== null);
      const { used, verified, intact } = counts;
      insert.run(answerId, agentId, createdAt, body, seed);
      const isVerified = Number(verified === used && intact === used);
      insertAnswer.run(answerId, agentId, isVerified, namespaces, reason, model, blockedDigest);
      hours.add(createdAt, { answers: 1, used, verified, intact, brokenOff: brokenOff - wasBrokenOff });
    }
    for (const memoryId of receipt.memoryIds) insertUse.run(memoryId, answerId);
    mark.run(answerId);
    return true;
  }

  return { restore: (receipts: readonly RestoredReceipt[]): number => receipts.filter(restoreOne).length };
}
