// Top-k selection: the best so far, in order. Most offers lose to the worst of them, so the common case is one comparison
// and no allocation. Of equal scores the newer is better.
import { partitionPoint } from "#core/collections/partition-point.ts";

export interface Hit<From> {
  readonly score: number;
  readonly sequence: number;
  readonly from: From;
  readonly document: number;
}

export type TopK<From> = ReturnType<typeof createTopK<From>>;

/** Hits with a score below `floor` are refused. */
export function createTopK<From>(limit: number, floor = -Infinity) {
  /** The worst comes first. */
  const best: Hit<From>[] = [];

  return {
    offer(score: number, sequence: number, from: From, document: number): void {
      if (score < floor) return;
      if (best.length >= limit) {
        const worst = best[0];
        if (worst === undefined || score < worst.score || (score === worst.score && sequence < worst.sequence)) return;
        best.shift();
      }
      const place = partitionPoint(best.length, (i) => {
        const hit = best[i] as Hit<From>;
        return score > hit.score || (score === hit.score && sequence > hit.sequence);
      });
      best.splice(place, 0, { score, sequence, from, document });
    },
    /** What a score must reach to be among the best. */
    threshold: (): number => (best.length < limit ? floor : (best[0] as Hit<From>).score),
    hits: (): Hit<From>[] => best.toReversed(),
  };
}
