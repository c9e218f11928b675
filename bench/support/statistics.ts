export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that a share `q` of the values does not exceed, interpolated between neighbours. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) throw new Error("There is no quantile of nothing.");
  const sorted = Float64Array.from(values).sort();
  const place = (sorted.length - 1) * q;
  const below = sorted[Math.floor(place)] as number;
  const above = sorted[Math.ceil(place)] as number;
  return below + (above - below) * (place - Math.floor(place));
}

/** Round by round: what was measured together is compared together, so that a busy machine slows both sides. */
export function ratios(over: readonly number[], under: readonly number[]): number[] {
  return over.flatMap((value, round) => {
    const other = under[round];
    return other === undefined ? [] : [value / other];
  });
}
