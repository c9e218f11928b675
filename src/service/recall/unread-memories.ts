// Memories on record that could not be opened. They are in no index, and are counted so that index and records can be
// compared.
import type { RecordedChange } from "#ports.ts";

export function createUnreadMemories() {
  /** The sequences of their captures, by namespace. */
  const sequences = new Map<string, Set<number>>();

  return {
    /** Whether the change is about such a memory, so that the index need not know of it. */
    takes(change: RecordedChange): boolean {
      const { namespace } = change;
      const own = sequences.get(namespace);
      if (change.kind !== "captured") {
        if (!own?.has(change.captured)) return false;
        if (change.kind === "forgotten") own.delete(change.captured);
        return true;
      }
      if (change.sealed !== "unreadable") return false;
      if (own === undefined) sequences.set(namespace, new Set([change.sequence]));
      else own.add(change.sequence);
      return true;
    },

    countIn: (namespace: string): number => sequences.get(namespace)?.size ?? 0,

    /** How many memories each namespace has, with these. */
    addTo(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
      const all = new Map(counts);
      for (const [namespace, own] of sequences)
        if (own.size > 0) all.set(namespace, (all.get(namespace) ?? 0) + own.size);
      return all;
    },
  };
}
