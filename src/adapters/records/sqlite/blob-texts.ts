import { type BlobTextRow, toBlobText } from "#adapters/records/shared/rows.ts";
import type { BlobTexts } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";

export function blobTexts({ database, read }: Connection): BlobTexts {
  const find = database.prepare(
    `SELECT content, namespace, source_agent AS sourceAgent, NULL AS body FROM memories WHERE store_ref = :blobId
     UNION ALL
     SELECT NULL, NULL, NULL, body FROM anchors WHERE blob_id = :blobId LIMIT 1`,
  );
  const count = database.prepare("SELECT (SELECT count(*) FROM memories) + (SELECT count(*) FROM anchors) AS n");

  return {
    find: (blobId) => read(() => toBlobText(find.get({ blobId }) as BlobTextRow | undefined)),
    count: () => read(() => Number(count.get()?.n)),
  };
}
