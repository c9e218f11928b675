import { type BlobTextRow, toBlobText } from "#adapters/records/shared/rows.ts";
import type { BlobTexts } from "#ports.ts";
import type { Database, Statement } from "./connection/database.ts";

const FIND = `
  (SELECT content, namespace, source_agent AS "sourceAgent", NULL AS body FROM memories WHERE store_ref = $1 LIMIT 1)
  UNION ALL
  SELECT NULL, NULL, NULL, body FROM anchors WHERE blob_id = $1`;
const COUNT: Statement = {
  text: "SELECT (SELECT count(*) FROM memories) + (SELECT count(*) FROM anchors) AS n",
  values: [],
};

export function blobTexts(database: Database): BlobTexts {
  return {
    find: async (blobId) => toBlobText(await database.row<BlobTextRow>({ text: FIND, values: [blobId] })),
    count: async () => (await database.row<{ n: number }>(COUNT))?.n ?? 0,
  };
}
