// What stays of a memory beside itself: its tombstone, and the answers that were given it.
import type { Database } from "#adapters/records/postgres/connection/database.ts";
import { type TombstoneRow, toTombstone, toUsePage } from "#adapters/records/shared/memories/memory-traces.ts";
import { LAST_ID } from "#adapters/records/shared/receipts/receipt-pages.ts";
import type { MemoryRecords, MemoryUse } from "#ports.ts";
import { anchoredReceiptsOf } from "./removals.ts";

const TOMBSTONE = `
  SELECT memory_id AS "memoryId", namespace, source_agent AS "sourceAgent", cause, reason, removed_by AS "forgottenBy",
    removed_at AS "forgottenAt", ${anchoredReceiptsOf("forgotten.memory_id")} AS "anchoredReceipts",
    EXISTS (SELECT FROM memory_uses JOIN anchors ON issued_answer = memory_uses.answer_id
      WHERE memory_uses.memory_id = forgotten.memory_id) AS "isNamedInPublic"
  FROM forgotten WHERE memory_id = $1 AND cause <> 'superseded' ORDER BY sequence DESC LIMIT 1`;
// Ranges of the primary key, for the reason that memory-pages.ts gives.
const USES = `
  SELECT used.answer_id AS "answerId", coalesce(receipts.agent_id, opened.agent_id) AS "agentId",
    coalesce(receipts.created_at, opened.created_at) AS "createdAt",
    CASE WHEN coalesce(answers.reason, opened.reason) IS NOT NULL THEN 'broken-off'
      WHEN receipts.answer_id IS NOT NULL THEN 'issued' ELSE 'opened' END AS status
  FROM (
    SELECT answer_id FROM memory_uses WHERE (memory_id, answer_id) < ($1, $2) AND memory_id >= $1
    ORDER BY memory_id DESC, answer_id DESC LIMIT $3
  ) AS used LEFT JOIN receipts USING (answer_id) LEFT JOIN answers USING (answer_id)
    LEFT JOIN opened_receipts AS opened USING (answer_id)
  ORDER BY used.answer_id DESC`;

export function memoryTraces(database: Database): Pick<MemoryRecords, "tombstone" | "uses"> {
  return {
    async tombstone(memoryId) {
      const row = await database.row<TombstoneRow>({ text: TOMBSTONE, values: [memoryId] });
      return row && toTombstone(row);
    },
    async uses(memoryId, { before = LAST_ID, limit }) {
      return toUsePage(await database.rows<MemoryUse>({ text: USES, values: [memoryId, before, limit + 1] }), limit);
    },
  };
}
