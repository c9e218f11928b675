import type { DatabaseSync } from "node:sqlite";
import { type Fact, factText } from "#core/memory.ts";

/** What blobs were made of. */
export function blobTexts(database: DatabaseSync) {
  const fact = database.prepare(
    "SELECT content, namespace, source_agent AS sourceAgent FROM memories WHERE store_ref = ? LIMIT 1",
  );
  const receipt = database.prepare("SELECT body FROM anchors WHERE blob_id = ?");

  return (blobId: string): string | undefined => {
    const found = fact.get(blobId) as Fact | undefined;
    return found === undefined ? (receipt.get(blobId)?.body as string | undefined) : factText(found);
  };
}
