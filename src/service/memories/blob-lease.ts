import type { BlobLease, StoredBlob } from "#ports.ts";

/** The lease of a blob that was just stored; undefined if the store does not say how long it keeps the blob. */
export function leaseFor({ blobId, endEpoch, objectId }: StoredBlob, storedAt: string): BlobLease | undefined {
  if (endEpoch === undefined) return undefined;
  return { blobId, endEpoch, storedAt, ...(objectId !== undefined && { objectId }) };
}
