import { maxTermScore } from "#core/recall/bm25.ts";

/** The terms of a search by weight, the heaviest first. */
export type TermOrder = ReturnType<typeof termOrderOf>;

export function termOrderOf(weights: readonly number[]) {
  const weightAt = (place: number) => weights[place] as number;
  const places = weights.map((_, place) => place).sort((a, b) => weightAt(b) - weightAt(a));
  const most = new Float64Array(places.length + 1);
  for (let i = places.length - 1; i >= 0; i--)
    most[i] = (most[i + 1] as number) + maxTermScore(weightAt(places[i] as number));
  return {
    /** Their places among the weights. */
    places: places as readonly number[],
    /** No document has a higher score by the terms after the first `count`. */
    most: (count: number): number => most[count] as number,
    /** No document that has only the terms at these places has a higher score. */
    mostBy(places: ArrayLike<number>): number {
      let sum = 0;
      for (let i = 0; i < places.length; i++) sum += maxTermScore(weightAt(places[i] as number));
      return sum;
    },
    /** So many of the terms are essential: a document that has none of them is below the threshold. */
    essential(threshold: number): number {
      let count = places.length;
      while (count > 0 && (most[count - 1] as number) < threshold) count--;
      return count;
    },
  };
}
