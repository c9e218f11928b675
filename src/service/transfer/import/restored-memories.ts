import { mapInOrder } from "#async/map-in-order.ts";
import { digestHex } from "#core/encoding/digest.ts";
import { factBytes } from "#core/memory.ts";
import type { RecordOf } from "#core/transfer/export-format.ts";
import type { RestoredMemory, Stamp } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { storeAgain } from "./stored-again.ts";

/** Stores the blobs of memories that are not on record, and records these. Answers how many. */
export async function restoreMemories(deps: Deps, page: readonly RecordOf<"memory">[], stamp: Stamp): Promise<number> {
  const { transfer } = deps.records;
  const known = await transfer.knownMemories(page.map(({ memory }) => memory.memoryId));
  const missing = page.filter(({ memory }) => !known.has(memory.memoryId));
  const restored: RestoredMemory[] = [];
  for await (const each of mapInOrder(iterate(missing), deps.blobs.putConcurrency, (record) => stored(deps, record)))
    restored.push(each);
  return restored.length === 0 ? 0 : transfer.restoreMemories(restored, stamp);
}

async function stored(deps: Deps, { memory, superseded }: RecordOf<"memory">): Promise<RestoredMemory> {
  const { storeRef, contentDigest, content, seal } = memory;
  // What is sealed is kept as the text of its blob.
  const bytes = seal === undefined ? factBytes(memory) : new TextEncoder().encode(content);
  const lease = await storeAgain(deps, bytes, { blobId: storeRef, digest: contentDigest, found: digestHex(bytes) });
  return { memory, lease, ...(superseded && { superseding: superseded }) };
}

async function* iterate<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
