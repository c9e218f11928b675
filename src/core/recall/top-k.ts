// The best few of many: higher scores first, the newer of two equal ones first.

export interface Top {
  offer(score: number, sequence: number): void;
  /** What was kept, best first. */
  sequences(): number[];
}

/** Most offers lose against the worst that is kept, so the common case is one comparison. */
export function createTop(limit: number): Top {
  const kept: { readonly score: number; readonly sequence: number }[] = [];

  return {
    offer(score, sequence) {
      const worst = kept.length === limit ? kept[limit - 1] : undefined;
      if (worst !== undefined && !beats(score, sequence, worst)) return;
      if (kept.length === limit) kept.pop();
      let place = kept.length;
      while (place > 0 && beats(score, sequence, kept[place - 1] as (typeof kept)[number])) place--;
      kept.splice(place, 0, { score, sequence });
    },
    sequences: () => kept.map(({ sequence }) => sequence),
  };
}

function beats(score: number, sequence: number, other: { score: number; sequence: number }): boolean {
  return score > other.score || (score === other.score && sequence > other.sequence);
}
