import {
  type BlobTextRow,
  COUNT_BLOBS,
  FIND_BLOB_TEXT,
  toBlobText,
} from "#adapters/records/shared/memories/blob-texts.ts";
import type { BlobTexts } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";

export function blobTexts({ database, read }: Connection): BlobTexts {
  const find = database.prepare(FIND_BLOB_TEXT.replaceAll("$1", ":blobId"));
  const count = database.prepare(COUNT_BLOBS);
  return {
    find: (blobId) => read(() => toBlobText(find.get({ blobId }) as BlobTextRow | undefined)),
    count: () => read(() => Number(count.get()?.n)),
  };
}
