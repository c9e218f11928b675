import { PortcullisError } from "#core/errors.ts";
import type { BlobLease } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { leaseFor } from "#service/memories/blob-lease.ts";

interface Expected {
  readonly blobId: string;
  readonly digest: string;
  /** The digest of the bytes. */
  readonly found: string;
}

/** Stores the bytes of an exported blob. They must be what their record says: receipts name them by id and digest. */
export async function storeAgain(
  { blobs, now }: Pick<Deps, "blobs" | "now">,
  bytes: Uint8Array,
  { blobId, digest, found }: Expected,
): Promise<BlobLease | undefined> {
  if (digest !== found)
    throw new PortcullisError("export-damaged", `The record of the blob ${blobId} has another digest than its bytes.`);
  const stored = await blobs.put(bytes);
  if (stored.blobId !== blobId) {
    const message = `The blob store gave the id ${stored.blobId} to what the export has as ${blobId}. Import into a service with the same store.`;
    throw new PortcullisError("export-not-importable", message);
  }
  return leaseFor(stored, blobs, now().toISOString());
}
