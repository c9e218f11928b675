// The blob store of mock mode: deterministic, without a network.
//
// Blobs live in this process's memory. A blob that another process stored, or an earlier one, is derived again from the
// records.
import { contentAddress } from "#core/encoding/digest.ts";
import type { BlobStore } from "#ports.ts";

/** Derives the bytes of a blob from the records. Undefined when no record has this blob. */
type Derive = (blobId: string) => Promise<Uint8Array | undefined>;

const ID = /^[\w-]{43}$/;

export function memoryBlobs(derive: Derive = async () => undefined): BlobStore {
  const blobs = new Map<string, Uint8Array>();

  return {
    // No put waits here. Several at a time let the records of an import share their commits.
    putConcurrency: 8,
    async put(bytes) {
      const blobId = contentAddress(bytes);
      if (!blobs.has(blobId)) blobs.set(blobId, Uint8Array.from(bytes));
      return { blobId };
    },

    async get(blobId) {
      const cached = blobs.get(blobId);
      if (cached !== undefined || !ID.test(blobId)) return cached;
      const derived = await derive(blobId);
      // A record that was tampered with does not give the blob that it names.
      if (derived === undefined || contentAddress(derived) !== blobId) return undefined;
      blobs.set(blobId, derived);
      return derived;
    },
  };
}
