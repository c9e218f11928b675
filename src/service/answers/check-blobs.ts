import { digestHex } from "#core/encoding/digest.ts";
import type { AllowedMemory } from "#core/gate/gate.ts";
import { factText } from "#core/memory.ts";
import type { GivenMemory } from "#core/prompt/fit-memories.ts";
import { type BlobCheck, usedMemory } from "#core/receipt/receipt.ts";
import type { BlobStore } from "#ports.ts";

/** The memories that were recalled, and what the blob store gave for each. */
export type BlobChecks = ReadonlyMap<AllowedMemory, BlobCheck>;

/** Looks at every memory's blob live, all at once. A store that fails makes no answer fail: it verifies nothing. */
export async function checkBlobs(blobs: BlobStore, memories: readonly AllowedMemory[]): Promise<BlobChecks> {
  const checks = await Promise.all(memories.map((memory) => checkBlob(blobs, memory)));
  return new Map(memories.map((memory, i) => [memory, checks[i] as BlobCheck]));
}

async function checkBlob(blobs: BlobStore, memory: AllowedMemory): Promise<BlobCheck> {
  const bytes = await blobs.get(memory.storeRef).catch(() => undefined);
  return { verified: bytes !== undefined, intact: bytes instanceof Uint8Array && isBlobOf(memory, bytes) };
}

/** The text of an encrypted memory is not that of its blob, so that the digest decides. */
function isBlobOf(memory: AllowedMemory, bytes: Uint8Array): boolean {
  if (memory.encrypted) return digestHex(bytes) === memory.contentDigest;
  return Buffer.from(factText(memory)).equals(bytes);
}

/** What a receipt says about memories that were recalled. `cited` are positions in the list, if the model says so. */
export function usedMemories(memories: readonly GivenMemory[], checks: BlobChecks, cited?: readonly number[]) {
  return memories.flatMap((given, position) => {
    const check = checks.get(given.memory);
    return check === undefined ? [] : usedMemory(given, check, cited?.includes(position));
  });
}
