// What stays of a memory beside itself: its tombstone, and the answers that were given it.
import type { DatabaseSync } from "node:sqlite";
import { type TombstoneRow, toTombstone, toUsePage } from "#adapters/records/shared/memories/memory-traces.ts";
import type { MemoryUse, PageOf, RecordedTombstone, UsePage } from "#ports.ts";
import { COUNT_ANCHORED } from "./removals.ts";

export function memoryTraces(database: DatabaseSync) {
  const tombstone = database.prepare(
    `SELECT memory_id AS memoryId, namespace, source_agent AS sourceAgent, cause, reason, removed_by AS forgottenBy,
       removed_at AS forgottenAt, ${COUNT_ANCHORED.replaceAll("?", "forgotten.memory_id")} AS anchoredReceipts,
       EXISTS (SELECT 1 FROM memory_uses JOIN anchors ON issued_answer = memory_uses.answer_id
         WHERE memory_uses.memory_id = forgotten.memory_id) AS isNamedInPublic
     FROM forgotten WHERE memory_id = ? AND cause <> 'superseded' ORDER BY sequence DESC LIMIT 1`,
  );
  const uses = database.prepare(
    `SELECT memory_uses.answer_id AS answerId,
       coalesce(receipts.agent_id, opened_receipts.agent_id) AS agentId,
       coalesce(receipts.created_at, opened_receipts.created_at) AS createdAt,
       CASE WHEN coalesce(answers.reason, opened_receipts.reason) IS NOT NULL THEN 'broken-off'
         WHEN receipts.answer_id IS NOT NULL THEN 'issued' ELSE 'opened' END AS status
     FROM memory_uses LEFT JOIN receipts USING (answer_id) LEFT JOIN answers USING (answer_id)
       LEFT JOIN opened_receipts USING (answer_id)
     WHERE memory_id = :memoryId AND answer_id < :before ORDER BY answer_id DESC LIMIT :limit`,
  );
  return {
    tombstone(memoryId: string): RecordedTombstone | undefined {
      const row = tombstone.get(memoryId);
      return row && toTombstone(row as unknown as TombstoneRow);
    },
    uses(memoryId: string, { before = "~", limit }: PageOf<string>): UsePage {
      return toUsePage(uses.all({ memoryId, before, limit: limit + 1 }) as unknown as MemoryUse[], limit);
    },
  };
}
