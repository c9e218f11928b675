import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestOf } from "#core/encoding/digest.ts";
import { blockedFields, snippetOf } from "./receipt.ts";

describe("a snippet", () => {
  test("is the whole text on one line if it is short", () => {
    expect(snippetOf("  no peanuts\n\tat dinner ")).toBe("no peanuts at dinner");
  });

  test("ends in an ellipsis if the text is longer", () => {
    expect(snippetOf("x".repeat(161))).toBe(`${"x".repeat(160)}…`);
    expect(snippetOf("x".repeat(160))).toBe("x".repeat(160));
  });

  test("never splits a surrogate pair", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 150, maxLength: 400 }), (text) => {
        const snippet = snippetOf(text);
        expect(snippet.isWellFormed()).toBe(true);
        expect(Array.from(snippet).length).toBeLessThanOrEqual(161);
      }),
    );
  });
});

const names = (count: number) => Array.from({ length: count }, (_, i) => `n${String(i).padStart(5, "0")}`);

test("a receipt lists up to 1,000 blocked namespaces, and has no count and no digest then", () => {
  expect(blockedFields(names(1_000))).toEqual({ blockedNamespaces: names(1_000) });
});

test("of more, a receipt lists the first 1,000, with the count and the digest of all", () => {
  const all = names(1_001);
  const expected = { blockedNamespaces: names(1_000), blockedCount: 1_001, blockedDigest: digestOf(all) };
  expect(blockedFields(all)).toEqual(expected);
  expect(blockedFields(all)).toBe(blockedFields(all));
});
