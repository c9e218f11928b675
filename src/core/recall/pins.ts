// Pinned memories go into every recall, before what the question finds. They get at most half of the places.
import type { Selected } from "./selection.ts";

/** How many pinned memories a recall of `limit` memories may hold. As many of one namespace can be pinned. */
export const maxPinned = (limit: number): number => Math.floor(limit / 2);

/** The pinned memories, by their sequences, and then the others. A pinned memory that was selected keeps its score. */
export function pinnedFirst(pinned: readonly number[], selected: readonly Selected[]): readonly Selected[] {
  if (pinned.length === 0) return selected;
  const first = pinned.map((sequence): Selected => {
    const found = selected.find((each) => each.sequence === sequence);
    return { sequence, score: 0, ...found, why: { ...found?.why, pinned: true } };
  });
  return first.concat(selected.filter(({ sequence }) => !pinned.includes(sequence)));
}

/** The pinned memories of each namespace, by the sequences of their captures. */
export function createPins() {
  const sequencesOf = new Map<string, Set<number>>();

  return {
    /** A memory that was forgotten must be unpinned. Setting what is set already changes nothing. */
    set(namespace: string, sequence: number, isPinned: boolean): void {
      const sequences = sequencesOf.get(namespace) ?? new Set();
      if (isPinned) sequencesOf.set(namespace, sequences.add(sequence));
      else if (sequences.delete(sequence) && sequences.size === 0) sequencesOf.delete(namespace);
    },

    of: (namespace: string): number[] => [...(sequencesOf.get(namespace) ?? [])],

    drop(namespace: string): void {
      sequencesOf.delete(namespace);
    },

    /** Those of these namespaces that a recall of `limit` memories holds: the newest, newest first. */
    newest(namespaces: readonly string[], limit: number): number[] {
      const newest: number[] = [];
      for (const namespace of namespaces) {
        for (const sequence of sequencesOf.get(namespace) ?? []) insert(newest, sequence, maxPinned(limit));
      }
      return newest;
    },
  };
}

/** Keeps the greatest `size` numbers, in falling order. */
function insert(numbers: number[], number: number, size: number): void {
  const at = numbers.findIndex((other) => other < number);
  numbers.splice(at === -1 ? numbers.length : at, 0, number);
  if (numbers.length > size) numbers.pop();
}
