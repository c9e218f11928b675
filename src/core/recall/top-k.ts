// Top-k selection: a bounded array, kept sorted by insertion. Higher scores come first, and of equal scores the newer.
// Most offers lose to the last element, so the common case is one comparison and no allocation.

interface Entry {
  readonly score: number;
  readonly sequence: number;
}

export type TopK = ReturnType<typeof createTopK>;

export function createTopK(limit: number) {
  const entries: Entry[] = [];

  return {
    offer(score: number, sequence: number): void {
      if (entries.length === limit) {
        if (!beats(score, sequence, entries[limit - 1] as Entry)) return;
        entries.pop();
      }
      let index = entries.length;
      while (index > 0 && beats(score, sequence, entries[index - 1] as Entry)) index--;
      entries.splice(index, 0, { score, sequence });
    },
    /** Best first. */
    sequences: (): number[] => entries.map(({ sequence }) => sequence),
  };
}

function beats(score: number, sequence: number, other: Entry): boolean {
  return score > other.score || (score === other.score && sequence > other.sequence);
}
