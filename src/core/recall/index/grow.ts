/** A copy with at least `needed` elements. It at least doubles, so that growing is cheap on average. */
export function grow<A extends Int8Array | Uint8Array | Uint32Array | Float64Array>(array: A, needed: number): A {
  const larger = new (array.constructor as new (length: number) => A)(Math.max(needed, array.length * 2));
  larger.set(array);
  return larger;
}
