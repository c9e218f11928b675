// The blob store of mock mode: deterministic, without a network. As many blobs as fit are in memory (LRU). Any other is
// derived from the records. One may be evicted before its record is written: until then nobody knows its id.
import { NEVER_ABORTS } from "#async/with-deadline.ts";
import { lruCache } from "#core/collections/lru-cache.ts";
import { contentAddress } from "#core/encoding/digest.ts";
import type { BlobStore, PutOptions } from "#ports.ts";

/** Derives the bytes of a blob from the records. Undefined when no record has this blob. */
type Derive = (blobId: string) => Promise<Uint8Array | undefined>;

const ID = /^[\w-]{43}$/;
const MOST_BYTES = 64 * 1024 * 1024;
/** What an entry takes beside the bytes of its blob: without it, a million short blobs would count little. */
const ENTRY_BYTES = 256;

const WITHOUT_FENCE: NonNullable<PutOptions["fence"]> = async (send) => send(NEVER_ABORTS);

export function memoryBlobs(derive: Derive = async () => undefined, { mostBytes = MOST_BYTES } = {}): BlobStore {
  const blobs = lruCache<Uint8Array>(mostBytes, ({ length }) => length + ENTRY_BYTES);

  return {
    // No put waits here. Several at a time let the records of an import share their commits.
    putConcurrency: 8,
    async put(bytes, { fence = WITHOUT_FENCE } = {}) {
      const blobId = contentAddress(bytes);
      await fence(() => {
        if (blobs.get(blobId) === undefined) blobs.put(blobId, Uint8Array.from(bytes));
      });
      return { blobId };
    },

    dropCache: blobs.clear,

    async get(blobId) {
      const cached = blobs.get(blobId);
      if (cached !== undefined || !ID.test(blobId)) return cached;
      const derived = await derive(blobId);
      // A record that was tampered with does not give the blob that it names.
      if (derived === undefined || contentAddress(derived) !== blobId) return undefined;
      blobs.put(blobId, derived);
      return derived;
    },
  };
}
