import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, canonicalJsonWithin } from "./canonical-json.ts";

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Values with all that is longer, or shorter, in canonical form: large numbers, control characters, other scripts. */
const character = fc.oneof(
  fc.constantFrom("\u0001", "\n", '"', "\\", "é", "€"),
  fc.string({ unit: "grapheme", maxLength: 1 }),
);
const values = fc.jsonValue({ stringUnit: character });

test("a text that fits is the canonical JSON, and one that does not is not made", () => {
  fc.assert(
    fc.property(
      fc.oneof(values, fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }))),
      fc.integer({ min: -3, max: 3 }),
      (value, slack) => {
        const canonical = canonicalJson(value);
        const bound = bytesOf(canonical) + slack;
        expect(canonicalJsonWithin(bound, value)).toBe(slack < 0 ? undefined : canonical);
      },
    ),
  );
});

test("a value whose canonical JSON would not fit into memory is refused at once", () => {
  let value: unknown = 1e20;
  for (let level = 0; level < 60; level++) value = [value, value];
  expect(canonicalJsonWithin(1_000_000, value)).toBeUndefined();
});

test("a value without a canonical form is refused as canonicalJson refuses it", () => {
  for (const value of ["\ud800", [undefined], Number.NaN]) {
    expect(() => canonicalJsonWithin(1_000, value)).toThrow("no canonical JSON");
  }
});
