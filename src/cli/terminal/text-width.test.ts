import fc from "fast-check";
import { expect, test } from "vitest";
import { fitText, textWidth } from "./text-width.ts";

test.for([
  ["plain", 5],
  ["", 0],
  ["日本", 4],
  ["한국", 4],
  ["é", 1],
  ["e\u0301", 1],
  ["👩‍👩‍👧", 2],
  ["🇵🇹", 2],
  ["ｆｕｌｌ", 8],
  ["a\u200bb", 2],
] as const)("%s takes %i cells", ([text, width]) => {
  expect(textWidth(text)).toBe(width);
});

test("a fitted text takes exactly its width, and a short one is whole", () => {
  const text = fc.array(fc.constantFrom("a", "日", "e\u0301", "👩‍👩‍👧", " ", "ß")).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (given, width) => {
      const fitted = fitText(given, width);
      expect(textWidth(fitted)).toBe(width);
      if (textWidth(given) <= width) expect(fitted.startsWith(given)).toBe(true);
      else expect(fitted).toContain("…");
    }),
  );
});
