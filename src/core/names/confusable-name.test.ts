import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SKELETON_VERSION, skeletonOf } from "./confusable-name.ts";

describe("Two names look alike", () => {
  test.each([
    ["paypal", "раураl", "Cyrillic letters"],
    ["paypal", "𝔭𝒶ỿ𝕡𝕒ℓ", "mathematical letters, as in the standard"],
    ["health", "һealth", "a Cyrillic h"],
    ["diet", "dіet", "a Cyrillic i"],
    ["modern", "modem", "m is drawn as r and n"],
    ["Il1|", "llll", "capital I, one and the bar are drawn as l"],
    ["v0", "vO", "zero and capital O"],
    ["a-b", "a\u2010b", "another hyphen"],
    ["a b", "a\u00a0b", "another space"],
    ["diet", "di\u200bet", "an invisible character"],
    ["é", "e\u0301", "another normalization"],
  ])("%s and %s: %s", (one, other) => {
    expect(skeletonOf(one)).toBe(skeletonOf(other));
  });
});

describe("Two names do not look alike", () => {
  test.each([
    ["Health", "health"],
    ["health", "wealth"],
    ["n1", "n2"],
    ["東京", "京都"],
    ["cafe", "café"],
    ["__proto__", "__prote__"],
  ])("%s and %s", (one, other) => {
    expect(skeletonOf(one)).not.toBe(skeletonOf(other));
  });

  test("numbers, however long", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (one, other) => {
        expect(skeletonOf(`n${one}`) === skeletonOf(`n${other}`)).toBe(one === other);
      }),
    );
  });
});

test("the skeleton of a skeleton of letters is itself, and normal forms have the same one", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (name) => {
      expect(skeletonOf(name.normalize("NFC"))).toBe(skeletonOf(name.normalize("NFD")));
    }),
  );
  expect(skeletonOf(skeletonOf("Modem 10"))).toBe(skeletonOf("Modem 10"));
});

test("the table is that of Unicode 17", () => {
  expect(SKELETON_VERSION).toBe("17.0.0-1");
});
