// Until when the proof of an anchored receipt can be fetched: as long as the blob store keeps the receipt's blob, and those
// of all memories that it names.
import type { BlobLease } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { leaseEnd } from "#service/memories/blob-lease.ts";

/** Null: as long as this service keeps its records. Left out when it is not known of every blob. */
export interface StoredUntil {
  readonly storedUntil?: string | null;
}

interface NamesBlobs {
  readonly usedMemories: readonly { readonly storeRef: string }[];
}

export async function storedUntil(
  { blobs: { leaseMs }, records }: Pick<Deps, "blobs" | "records">,
  blobId: string,
  { usedMemories }: NamesBlobs,
): Promise<StoredUntil> {
  if (leaseMs === undefined) return { storedUntil: null };
  const blobIds = new Set([blobId, ...usedMemories.map(({ storeRef }) => storeRef)]);
  const leases = await records.leases.findAll([...blobIds]);
  return leases.length === blobIds.size ? { storedUntil: earliest(leases, leaseMs) } : {};
}

/** The earliest end of all proofs. Left out when nothing is anchored, or no end is known. */
export async function storedUntilOfAll({ blobs, records }: Pick<Deps, "blobs" | "records">): Promise<StoredUntil> {
  if (blobs.leaseMs === undefined) return { storedUntil: null };
  const end = await records.leases.firstEndOfPublished();
  return end === undefined ? {} : { storedUntil: end };
}

function earliest(leases: readonly BlobLease[], leaseMs: number): string {
  return leases.map((lease) => leaseEnd(lease, leaseMs)).reduce((first, end) => (end < first ? end : first));
}
