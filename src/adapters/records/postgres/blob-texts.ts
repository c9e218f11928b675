import { type Fact, factText } from "#core/memory.ts";
import type { Statement } from "./connection/database.ts";

const FIND = `
  (SELECT content, namespace, source_agent AS "sourceAgent", NULL AS body FROM memories WHERE store_ref = $1 LIMIT 1)
  UNION ALL
  SELECT NULL, NULL, NULL, body FROM anchors WHERE blob_id = $1`;

/** What a blob was made of. */
export const findBlobText = (blobId: string): Statement => ({ text: FIND, values: [blobId] });

export type BlobTextRow = Fact | { readonly content: null; readonly body: string };

export function toBlobText(row: BlobTextRow | undefined): string | undefined {
  if (row === undefined) return undefined;
  return row.content === null ? row.body : factText(row);
}
