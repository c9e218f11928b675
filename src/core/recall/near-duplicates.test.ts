import fc from "fast-check";
import { expect, test } from "vitest";
import { foldNearDuplicates } from "./near-duplicates.ts";
import { wordsOf } from "./text/tokenizer.ts";

const contentsOf = (contents: readonly string[]) =>
  foldNearDuplicates(contents.map((content) => ({ content }))).map(({ content }) => content);

test.each([
  ["case and punctuation", "No peanuts for me.", "no PEANUTS, for me!"],
  ["articles", "The dinner is on a Friday.", "Dinner is on Friday"],
  ["accents", "Café near the office", "cafe near office"],
  ["the ends of contractions", "The doctor's appointment", "doctor appointment"],
])("folds memories that differ by %s alone", (_, one, other) => {
  expect(contentsOf([one, "something else", other])).toEqual([one, "something else"]);
});

test.each([
  ["the order of words", "Anna owes Ben.", "Ben owes Anna."],
  ["a negation", "I need tea.", "I don't need tea."],
  ["a short word", "Tea at nine", "Tea at ten"],
  ["punctuation, without words", "…", "!"],
])("keeps memories that differ by %s", (_, one, other) => {
  expect(contentsOf([one, other])).toEqual([one, other]);
});

test("compares all words but articles, whatever the alphabet", () => {
  const words = fc.constantFrom(
    ..."the a Café cafe tea dinner Dinner's dinner 東京都 über, don't 12 Friday".split(" "),
  );
  const texts = fc.array(words, { minLength: 1, maxLength: 4 }).map((list) => list.join(" "));
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 12 }), (contents) => {
      const keys = contents.map((content) => {
        const significant = wordsOf(content).filter((word) => word !== "the" && word !== "a");
        return significant.length === 0 ? content : `${content.includes("don't")} ${significant.join(" ")}`;
      });
      expect(contentsOf(contents)).toEqual(contents.filter((_, i) => keys.indexOf(keys[i] as string) === i));
    }),
    { numRuns: 1_000 },
  );
});
