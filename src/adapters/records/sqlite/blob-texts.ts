import {
  COUNT_BLOBS,
  type ForgottenRow,
  IS_ANCHORED_FACT,
  toForgotten,
} from "#adapters/records/shared/receipts/proof-facts.ts";
import { type BlobTextRow, toBlobText } from "#adapters/records/shared/rows.ts";
import type { BlobTexts } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";

const CURRENT = `
  SELECT content, namespace, source_agent AS sourceAgent, NULL AS body FROM memories WHERE store_ref = :blobId
  UNION ALL
  SELECT NULL, NULL, NULL, body FROM anchors WHERE blob_id = :blobId`;
const KEPT = `
  SELECT content, namespace, source_agent AS sourceAgent, NULL AS body FROM proof_facts WHERE blob_id = :blobId`;

export function blobTexts({ database, read }: Connection): BlobTexts {
  const findCurrent = database.prepare(`${CURRENT} LIMIT 1`);
  const find = database.prepare(`${CURRENT} UNION ALL ${KEPT} LIMIT 1`);
  const forgottenAfter = database.prepare(
    `SELECT blob_id AS blobId, content, namespace, source_agent AS sourceAgent FROM proof_facts
     WHERE blob_id > ? AND ${IS_ANCHORED_FACT} ORDER BY blob_id LIMIT ?`,
  );
  const count = database.prepare(COUNT_BLOBS);

  return {
    find: (blobId) => read(() => toBlobText(find.get({ blobId }) as BlobTextRow | undefined)),
    findCurrent: (blobId) => read(() => toBlobText(findCurrent.get({ blobId }) as BlobTextRow | undefined)),
    forgotten: ({ after = "", limit }) =>
      read(() => (forgottenAfter.all(after, limit) as unknown as ForgottenRow[]).map(toForgotten)),
    count: () => read(() => Number(count.get()?.n)),
  };
}
