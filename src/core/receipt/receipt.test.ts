import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { snippetOf } from "./receipt.ts";

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
