import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "#core/encoding/text-validation.ts";
import { foldedWords, termOf, wordsOf } from "./words.ts";

const termsOf = (text: string) => wordsOf(text).map(termOf);

describe("terms", () => {
  test.each([
    ["Running, runs; RUN!", ["run", "run", "run"]],
    ["allergies allergy", ["allergi", "allergi"]],
    ["café CAFÉ cafe\u0301", ["cafe", "cafe", "cafe"]],
    ["10 mg at 07:40", ["10", "mg", "at", "07", "40"]],
    ["東京都", ["東京", "京都"]],
    ["iPhone手机", ["iphon", "手机"]],
    ["花", ["花"]],
    ["Привет, мир", ["привет", "мир"]],
    ["हिन्दी", ["हिन्दी"]],
    ["한국어", ["한국어"]],
    ["…!?", []],
  ])("of %s", (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  test("are the same in ASCII text and in other text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
        expect(termsOf(`${text} é`)).toEqual([...termsOf(text), "e"]);
      }),
    );
  });

  test("have at most 64 characters, also in hostile text", () => {
    for (const hostile of ["a", "ed", "aeiouy", "b", "\u0301", "漢", "ab ".repeat(3)]) {
      expect(termsOf(hostile.repeat(8_000 / hostile.length)).every((term) => term.length <= 64)).toBe(true);
    }
  });
});

/** NFKD makes eighteen characters of it. */
const LIGATURE = "\ufdfa";

test.each([
  ["recall", wordsOf],
  ["rules that look for fixed words", foldedWords],
])("the words that %s reads are not many times as long as the text", (_, read) => {
  const longest = read(LIGATURE.repeat(LIMITS.content));
  expect(longest.join("").length).toBeLessThan(4 * LIMITS.content);
  expect(read(`${LIGATURE} peanuts`)).toContain("peanuts");
  expect(read("한국어를".repeat(LIMITS.content / 4)).join("").length).toBeGreaterThanOrEqual(LIMITS.content);
  expect(read(`${"Ångström ".repeat(800)}peanuts`)).toContain("peanuts");
});
