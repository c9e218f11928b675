// The characters of fast-check's unit "binary", in its order. Its own makes a map of all of them, which takes a second of
// processor time and a hundred megabytes in each worker, and lengthens every collection of garbage from then on.
import fc from "fast-check";

const SURROGATES = { from: 0xd800, count: 0x800 };

/** For `fc.string({ unit: codePoint })`: every code point, without surrogates. */
export const codePoint: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - SURROGATES.count })
  .map((i) => String.fromCodePoint(i < SURROGATES.from ? i : i + SURROGATES.count), indexOf);

/** So that fast-check can shrink characters that it has not made. */
function indexOf(value: unknown): number {
  const [character, ...others] = typeof value === "string" ? value : "";
  if (character === undefined || others.length > 0 || !character.isWellFormed()) throw new Error("not one character");
  const found = character.codePointAt(0) ?? 0;
  return found < SURROGATES.from ? found : found - SURROGATES.count;
}
