import type { BlobLease, BlobStore, StoredBlob } from "#ports.ts";

/** The lease of a blob that was just stored; undefined if the store says nothing of an end. */
export function leaseFor(
  { blobId, endEpoch, objectId }: StoredBlob,
  { leaseMs }: Pick<BlobStore, "leaseMs">,
  storedAt: string,
): BlobLease | undefined {
  if (endEpoch === undefined && leaseMs === undefined) return undefined;
  return {
    blobId,
    storedAt,
    ...(endEpoch !== undefined && { endEpoch }),
    ...(objectId !== undefined && { objectId }),
    ...(leaseMs !== undefined && { endsAt: endOf(storedAt, leaseMs) }),
  };
}

const endOf = (storedAt: string, leaseMs: number) => new Date(Date.parse(storedAt) + leaseMs).toISOString();

/** Until when the store keeps the blob at least. */
export function leaseEnd({ storedAt, endsAt }: BlobLease, leaseMs: number): string {
  // A lease of an earlier version. It was stored for about as long as blobs are now.
  return endsAt ?? endOf(storedAt, leaseMs);
}
