/** Picks values at random, each with a chance in proportion to its weight. */
export function weightedPicker<T>(values: readonly T[], weights: readonly number[], random: () => number): () => T {
  const cumulative = cumulativeSums(weights);
  const total = cumulative.at(-1) as number;
  return () => values[firstAbove(cumulative, random() * total)] as T;
}

function cumulativeSums(weights: readonly number[]): Float64Array {
  let sum = 0;
  return Float64Array.from(weights, (weight) => {
    sum += weight;
    return sum;
  });
}

/** The index of the first value above `limit`, by binary search. */
function firstAbove(ascending: Float64Array, limit: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
