import {
  COUNT_BLOBS,
  type ForgottenRow,
  IS_ANCHORED_FACT,
  toForgotten,
} from "#adapters/records/shared/receipts/proof-facts.ts";
import { type BlobTextRow, toBlobText } from "#adapters/records/shared/rows.ts";
import type { BlobTexts } from "#ports.ts";
import type { Database } from "./connection/database.ts";

const FACT = 'content, namespace, source_agent AS "sourceAgent"';
const FIND_CURRENT = `
  (SELECT ${FACT}, NULL AS body FROM memories WHERE store_ref = $1 LIMIT 1)
  UNION ALL
  SELECT NULL, NULL, NULL, body FROM anchors WHERE blob_id = $1`;
const FIND = `${FIND_CURRENT}
  UNION ALL
  SELECT ${FACT}, NULL FROM proof_facts WHERE blob_id = $1`;
const FORGOTTEN = `
  SELECT blob_id AS "blobId", ${FACT} FROM proof_facts WHERE blob_id > $1 AND ${IS_ANCHORED_FACT}
  ORDER BY blob_id LIMIT $2`;

export function blobTexts(database: Database): BlobTexts {
  const textOf = async (text: string, blobId: string) =>
    toBlobText(await database.row<BlobTextRow>({ text, values: [blobId] }));
  return {
    find: (blobId) => textOf(FIND, blobId),
    findCurrent: (blobId) => textOf(FIND_CURRENT, blobId),
    async forgotten({ after = "", limit }) {
      return (await database.rows<ForgottenRow>({ text: FORGOTTEN, values: [after, limit] })).map(toForgotten);
    },
    count: async () => (await database.row<{ n: number }>({ text: COUNT_BLOBS, values: [] }))?.n ?? 0,
  };
}
