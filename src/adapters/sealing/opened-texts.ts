// Opened memories by id, so that a recall need not decrypt (LRU, bounded by their characters).
import type { Fact } from "#core/memory.ts";

export interface OpenedTexts {
  get(memoryId: string): Fact | undefined;
  put(memoryId: string, fact: Fact): void;
  delete(memoryId: string): void;
}

/** What an entry takes beside its content, in characters. */
const ENTRY = 200;

export function createOpenedTexts(mostCharacters: number): OpenedTexts {
  // A Map keeps the order of insertion, so the first key is the one that was not used for longest.
  const facts = new Map<string, Fact>();
  let characters = 0;
  const sizeOf = ({ content }: Fact) => content.length + ENTRY;

  function remove(memoryId: string): Fact | undefined {
    const fact = facts.get(memoryId);
    if (fact === undefined) return undefined;
    facts.delete(memoryId);
    characters -= sizeOf(fact);
    return fact;
  }

  function put(memoryId: string, fact: Fact): void {
    remove(memoryId);
    facts.set(memoryId, fact);
    characters += sizeOf(fact);
    for (const oldest of facts.keys()) {
      if (characters <= mostCharacters) return;
      remove(oldest);
    }
  }

  return {
    get(memoryId) {
      const fact = remove(memoryId);
      if (fact !== undefined) put(memoryId, fact);
      return fact;
    },
    put,
    delete: (memoryId) => void remove(memoryId),
  };
}
