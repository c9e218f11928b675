export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Quantile with linear interpolation between neighbours. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) throw new Error("An empty list has no quantile.");
  const sorted = Float64Array.from(values).sort();
  const index = (sorted.length - 1) * q;
  const below = sorted[Math.floor(index)] as number;
  const above = sorted[Math.ceil(index)] as number;
  return below + (above - below) * (index - Math.floor(index));
}

/** Ratios by round: the two values of a round were measured close together, so a busy machine slows both. */
export function ratios(over: readonly number[], under: readonly number[]): number[] {
  return over.flatMap((value, round) => {
    const other = under[round];
    return other === undefined ? [] : [value / other];
  });
}
