// The records of memories with sealed ones opened.
import type { MemoryCipher, MemoryOnRecord, MemoryRecords } from "#ports.ts";
import { openAll, openMemory } from "./open-memory.ts";
import { searchedPage } from "./searched-page.ts";

type Cipher = Pick<MemoryCipher, "open" | "drop" | "status">;

export function openedMemories(memories: MemoryRecords, cipher: Cipher): MemoryRecords {
  const open = async (memory: MemoryOnRecord | undefined) => memory && openMemory(memory, cipher);

  /** Without those that cannot be opened. */
  async function openValues<Key>(found: ReadonlyMap<Key, MemoryOnRecord>): Promise<ReadonlyMap<Key, MemoryOnRecord>> {
    const entries = [...found];
    if (!entries.some(([, { seal }]) => seal)) return found;
    const opened = await openAll(entries, async ([key, memory]) => [key, await open(memory)] as const);
    return new Map(opened.flatMap(([key, memory]) => (memory === undefined ? [] : [[key, memory] as const])));
  }

  async function openPage(found: readonly MemoryOnRecord[]): Promise<readonly MemoryOnRecord[]> {
    if (!found.some(({ seal }) => seal)) return found;
    return (await openAll(found, open)).filter((memory) => memory !== undefined);
  }

  return {
    ...memories,
    async add(memory, lease, decision) {
      const recorded = await memories.add(memory, lease, decision);
      if (recorded.memoryId !== memory.memoryId) cipher.drop([memory.memoryId]);
      const opened = await open(recorded);
      if (opened === undefined) throw new Error("A memory that was sealed now cannot be opened.");
      return opened;
    },
    find: async (memoryId) => open(await memories.find(memoryId)),
    findAll: async (memoryIds) => openValues(await memories.findAll(memoryIds)),
    findByKey: async (named) => open(await memories.findByKey(named)),
    at: async (sequences) => openValues(await memories.at(sequences)),
    async page(query) {
      // Without the key, matches in ciphertext are left out with their memories.
      if (query.contains !== undefined && cipher.status() === "ready")
        return searchedPage(memories, query, query.contains, openPage);
      const page = await memories.page(query);
      return { ...page, memories: await openPage(page.memories) };
    },
    async setPinned(pin, stamp) {
      // What cannot be opened is not there, and so it is not pinned either.
      if (cipher.status() !== "ready" && (await open(await memories.find(pin.memoryId))) === undefined)
        return { kind: "not-found" };
      const outcome = await memories.setPinned(pin, stamp);
      if (outcome.kind !== "set") return outcome;
      const memory = await open(outcome.memory);
      return memory === undefined ? { kind: "not-found" } : { kind: "set", memory };
    },
    async forget(forgetting, stamp) {
      const forgotten = await memories.forget(forgetting, stamp);
      cipher.drop(forgetting.memoryIds);
      return forgotten;
    },
  };
}
