// The mock blob store: deterministic, in memory, no network. A blob's id is base64url of blake2b256 of its bytes,
// which is content addressing, but not how Walrus computes its ids.
import { blake2b256 } from "../../core/digest.ts";
import type { BlobStore } from "../../ports.ts";

export function memoryBlobs(): BlobStore {
  const blobs = new Map<string, Uint8Array>();

  return {
    async put(bytes) {
      const blobId = mockBlobId(bytes);
      if (!blobs.has(blobId)) blobs.set(blobId, Uint8Array.from(bytes));
      return { blobId };
    },
    get: async (blobId) => blobs.get(blobId),
  };
}

export function mockBlobId(bytes: Uint8Array): string {
  return Buffer.from(blake2b256(bytes)).toString("base64url");
}
