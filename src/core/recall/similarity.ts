/** The cosine of two vectors of integers, from -1 to 1; 0 if one of them is zero or absent. */
export function cosine(left: Int8Array | undefined, right: Int8Array | undefined): number {
  if (left === undefined || right === undefined) return 0;
  let dot = 0;
  let leftSquares = 0;
  let rightSquares = 0;
  for (let i = 0; i < left.length; i++) {
    const [a, b] = [left[i] as number, right[i] as number];
    dot += a * b;
    leftSquares += a * a;
    rightSquares += b * b;
  }
  const norms = Math.sqrt(leftSquares) * Math.sqrt(rightSquares);
  return norms === 0 ? 0 : dot / norms;
}
