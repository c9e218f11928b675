// Opening memories on record, a few at a time.
import type { Memory } from "#core/memory.ts";
import type { MemoryCipher, MemoryOnRecord } from "#ports.ts";

/** How many are decrypted at a time. Node's thread pool has four threads. */
const CONCURRENCY = 8;

/** The memory with its text; undefined when it cannot be opened. An open memory stays as it is. */
export async function openMemory(memory: MemoryOnRecord, cipher: Pick<MemoryCipher, "open">) {
  const { seal, ...rest } = memory;
  if (seal === undefined) return memory;
  const fact = await cipher.open({ ...rest, seal });
  return fact && ({ ...rest, content: fact.content, sealed: true } satisfies Memory);
}

/** In their order; undefined in the place of each that cannot be opened. */
export async function openAll<T, R>(items: readonly T[], open: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const queue = items.entries();
  async function worker(): Promise<void> {
    for (const [i, item] of queue) results[i] = await open(item);
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, worker));
  return results;
}
