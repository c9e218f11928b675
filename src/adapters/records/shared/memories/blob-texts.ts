// What blobs were made of, from the rows of memories and anchors.
import { type Fact, factText } from "#core/memory.ts";
import type { BlobText } from "#ports.ts";

const ofMemories = (table: string) =>
  `SELECT content, namespace, source_agent AS "sourceAgent", seal_key_id AS "sealKeyId", memory_id AS "memoryId",
     expires_at AS "expiresAt", NULL AS body
   FROM ${table} WHERE store_ref = $1`;

/** Of the memories that have the blob, the one that expires last. */
export const FIND_BLOB_TEXT = `
  SELECT * FROM (
    ${ofMemories("memories")}
    UNION ALL
    ${ofMemories("superseded_memories")}
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, NULL, NULL, body FROM anchors WHERE blob_id = $1
  ) AS found ORDER BY "expiresAt" DESC NULLS FIRST LIMIT 1`;

/** How many blobs are renewed. */
export const COUNT_BLOBS = `
  SELECT (SELECT count(*) FROM memories) + (SELECT count(*) FROM superseded_memories) + (SELECT count(*) FROM anchors) AS n`;

/** A blob was made of a memory's fact, of a sealed one, or of an anchored receipt. */
export type BlobTextRow =
  | (Fact & { readonly sealKeyId: string | null; readonly memoryId: string; readonly expiresAt: string | null })
  | { readonly content: null; readonly body: string };

export function toBlobText(row: BlobTextRow | undefined): BlobText | undefined {
  if (row === undefined) return undefined;
  if (row.content === null) return { text: row.body };
  const text = row.sealKeyId === null ? factText(row) : row.content;
  const { namespace, memoryId, expiresAt } = row;
  return { text, namespace, memoryId, ...(expiresAt !== null && { expiresAt }) };
}
