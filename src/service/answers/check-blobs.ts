import type { AllowedMemory } from "#core/gate/gate.ts";
import { factBytes } from "#core/memory.ts";
import { type BlobCheck, type UsedMemory, usedMemory } from "#core/receipt/receipt.ts";
import type { BlobStore } from "#ports.ts";

/** Looks at every memory's blob live, all at once. A store that fails makes no answer fail: it verifies nothing. */
export function checkBlobs(blobs: BlobStore, memories: readonly AllowedMemory[]): Promise<UsedMemory[]> {
  return Promise.all(memories.map(async (memory) => usedMemory(memory, await checkBlob(blobs, memory))));
}

async function checkBlob(blobs: BlobStore, memory: AllowedMemory): Promise<BlobCheck> {
  const fetching = blobs.get(memory.storeRef).catch(() => undefined);
  // What should come is made ready while it travels.
  const expected = factBytes(memory);
  const bytes = await fetching;
  return { verified: bytes !== undefined, intact: bytes !== undefined && Buffer.compare(bytes, expected) === 0 };
}
