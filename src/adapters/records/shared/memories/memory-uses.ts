// What stays of a memory beside itself: its tombstone, and the answers that were given it.
import { LAST_ID, statusOf } from "#adapters/records/shared/receipts/receipt-pages.ts";
import type { Database, Stored } from "#adapters/records/shared/sql.ts";
import { columns, elements, elementText, pageOf, present, reading, statement } from "#adapters/records/shared/sql.ts";
import type { Tombstone } from "#core/tombstone.ts";
import type { MemoryRecords, MemoryUse, RecordedTombstone } from "#ports.ts";

/** How many receipts name the memory of this id that are anchored in the open form. In the sealed form they name none. */
export const anchoredReceiptsOf = (memoryId: string) => `(
  SELECT count(DISTINCT issued_answer) FROM memory_uses CROSS JOIN anchors
  WHERE anchors.tenant = $tenant AND issued_answer = memory_uses.answer_id
    AND memory_uses.tenant = $tenant AND memory_uses.memory_id = ${memoryId} AND EXISTS (
    SELECT 1 FROM ${elements("body", "usedMemories", "used")} WHERE ${elementText("used", "memoryId")} = ${memoryId}))`;

// Ranges of the primary key, for the reason that memory-pages.ts gives.
const USES = statement<MemoryUse>`
  SELECT used.answer_id AS "answerId", coalesce(receipts.agent_id, begun.agent_id) AS "agentId",
    coalesce(receipts.created_at, begun.created_at) AS "createdAt",
    ${statusOf("receipts")} AS status
  FROM (
    SELECT answer_id FROM memory_uses
    WHERE tenant = $tenant AND (memory_id, answer_id) < ($1, $2) AND memory_id >= $1
    ORDER BY memory_id DESC, answer_id DESC LIMIT $3
  ) AS used LEFT JOIN receipts ON receipts.tenant = $tenant AND receipts.answer_id = used.answer_id
    LEFT JOIN answers ON answers.tenant = $tenant AND answers.answer_id = used.answer_id
    LEFT JOIN begun_receipts AS begun ON begun.tenant = $tenant AND begun.answer_id = used.answer_id
  ORDER BY used.answer_id DESC`;

const TOMBSTONE = reading(toTombstone)`
    SELECT ${columns("memoryId namespace sourceAgent cause reason forgottenBy=removed_by forgottenAt=removed_at")},
      ${anchoredReceiptsOf("forgotten.memory_id")} AS "anchoredReceipts",
      EXISTS (SELECT 1 FROM memory_uses CROSS JOIN anchors
        WHERE anchors.tenant = $tenant AND issued_answer = memory_uses.answer_id
          AND memory_uses.tenant = $tenant AND memory_uses.memory_id = forgotten.memory_id) AS "isNamedInPublic"
    FROM forgotten WHERE tenant = $tenant AND memory_id = $1 AND cause <> 'superseded' ORDER BY sequence DESC LIMIT 1`;

export function memoryUses({ rows, row }: Database): Pick<MemoryRecords, "tombstone" | "uses"> {
  return {
    tombstone: (memoryId) => row(TOMBSTONE(memoryId)),
    uses: (memoryId, { before = LAST_ID, limit }) =>
      pageOf("uses", rows(USES(memoryId, before, limit + 1)), limit, ({ answerId }) => answerId),
  };
}

type TombstoneRow = Stored<Tombstone & Omit<RecordedTombstone, "tombstone">>;

function toTombstone({ sourceAgent, anchoredReceipts, isNamedInPublic, ...said }: TombstoneRow): RecordedTombstone {
  return {
    tombstone: present(said) as Tombstone,
    sourceAgent,
    anchoredReceipts,
    isNamedInPublic: Boolean(isNamedInPublic),
  };
}
