import type { Sql } from "#adapters/records/shared/sql.ts";
import { type Fact, factText } from "#core/memory.ts";
import type { BlobTexts } from "#ports.ts";

const FIND = `
  SELECT content, namespace, source_agent AS "sourceAgent", NULL AS body FROM memories WHERE store_ref = $1
  UNION ALL
  SELECT NULL, NULL, NULL, body FROM anchors WHERE blob_id = $1 LIMIT 1`;
const COUNT = "SELECT (SELECT count(*) FROM memories) + (SELECT count(*) FROM anchors) AS n";

/** A blob was made of a memory's fact, or of an anchored receipt. */
type Row = Fact | { readonly content: null; readonly body: string };

export function blobTexts(sql: Sql): BlobTexts {
  return {
    async find(blobId) {
      const row = await sql.row<Row>({ text: FIND, values: [blobId] });
      return row?.content === null ? row.body : row && factText(row);
    },
    count: async () => (await sql.row<{ n: number }>({ text: COUNT }))?.n ?? 0,
  };
}
