// Top-k selection: a bounded array, kept sorted by insertion. Higher scores come first, and of equal scores the newer.
// Most offers lose to the last element, so the common case is one comparison and no allocation.

export interface TopK {
  offer(score: number, sequence: number): void;
  /** Best first. */
  sequences(): number[];
}

interface Entry {
  readonly score: number;
  readonly sequence: number;
}

export function createTopK(limit: number): TopK {
  const entries: Entry[] = [];

  return {
    offer(score, sequence) {
      const worst = entries.length === limit ? entries[limit - 1] : undefined;
      if (worst !== undefined && !beats(score, sequence, worst)) return;
      if (entries.length === limit) entries.pop();
      let index = entries.length;
      while (index > 0 && beats(score, sequence, entries[index - 1] as Entry)) index--;
      entries.splice(index, 0, { score, sequence });
    },
    sequences: () => entries.map(({ sequence }) => sequence),
  };
}

function beats(score: number, sequence: number, other: Entry): boolean {
  return score > other.score || (score === other.score && sequence > other.sequence);
}
