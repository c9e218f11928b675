// The mock blob store: deterministic, no network. A blob's id is base64url of blake2b256 of its bytes, which is content
// addressing, but not how Walrus computes its ids.
//
// It holds what was stored in this process, and forgets it when the process ends. What another process stored, or an
// earlier one, is made again from where its bytes came from.
import { blake2b256 } from "#core/encoding/digest.ts";
import type { BlobStore } from "#ports.ts";

/** The bytes of a blob, derived again; undefined when nobody knows what it was made of. */
type Derive = (blobId: string) => Promise<Uint8Array | undefined>;

const ID = /^[\w-]{43}$/;

export function memoryBlobs(derive: Derive = async () => undefined): BlobStore {
  const blobs = new Map<string, Uint8Array>();

  return {
    // Nothing waits here; some at a time let an import share commits.
    putConcurrency: 8,
    async put(bytes) {
      const blobId = mockBlobId(bytes);
      if (!blobs.has(blobId)) blobs.set(blobId, Uint8Array.from(bytes));
      return { blobId };
    },

    async get(blobId) {
      const known = blobs.get(blobId);
      if (known !== undefined || !ID.test(blobId)) return known;
      const derived = await derive(blobId);
      // A record that was tampered with is no blob of this store.
      if (derived === undefined || mockBlobId(derived) !== blobId) return undefined;
      blobs.set(blobId, derived);
      return derived;
    },
  };
}

export function mockBlobId(bytes: Uint8Array): string {
  return Buffer.from(blake2b256(bytes)).toString("base64url");
}
