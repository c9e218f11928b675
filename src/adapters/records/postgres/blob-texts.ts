import {
  type BlobTextRow,
  COUNT_BLOBS,
  FIND_BLOB_TEXT,
  toBlobText,
} from "#adapters/records/shared/memories/blob-texts.ts";
import type { BlobTexts } from "#ports.ts";
import type { Database } from "./connection/database.ts";

export function blobTexts(database: Database): BlobTexts {
  return {
    find: async (blobId) => toBlobText(await database.row<BlobTextRow>({ text: FIND_BLOB_TEXT, values: [blobId] })),
    count: async () => (await database.row<{ n: number }>({ text: COUNT_BLOBS, values: [] }))?.n ?? 0,
  };
}
