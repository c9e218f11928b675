import type { BlobLease, StoredBlob } from "#ports.ts";

/** What to note of a blob that was just stored; nothing when the store does not tell how long it keeps it. */
export function leaseFor({ blobId, endEpoch, objectId }: StoredBlob, storedAt: string): BlobLease | undefined {
  if (endEpoch === undefined) return undefined;
  return { blobId, endEpoch, storedAt, ...(objectId !== undefined && { objectId }) };
}
