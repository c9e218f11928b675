import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import type { BlobAnchor } from "#ports.ts";

/**
 * The blobs that an anchor makes public: an issued receipt, and the memories that it names. A sealed one names none.
 * Foreign receipts open nothing.
 */
export function publishedBy({ issued, blobId, body }: BlobAnchor): string[] {
  if (!issued) return [];
  const { usedMemories = [] } = JSON.parse(body) as Partial<AnswerReceipt>;
  return [...new Set([blobId, ...usedMemories.map(({ storeRef }) => storeRef)])];
}
