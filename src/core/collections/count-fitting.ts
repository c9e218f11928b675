/** How many of the first items weigh no more than `most` together. The first one always counts. */
export function countFitting(weights: Iterable<number>, most = Number.POSITIVE_INFINITY): number {
  let count = 0;
  let total = 0;
  for (const weight of weights) {
    total += weight;
    if (count > 0 && total > most) break;
    count += 1;
  }
  return count;
}
