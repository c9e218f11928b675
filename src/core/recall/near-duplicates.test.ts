import fc from "fast-check";
import { expect, test } from "vitest";
import { completed } from "#core/gate/gate.ts";
import { wordsOf } from "#core/text/words.ts";
import { foldNearDuplicates } from "./near-duplicates.ts";

const contentsOf = (contents: readonly string[]) =>
  completed(foldNearDuplicates(contents.map((content) => ({ content })))).map(({ content }) => content);

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

test.each([
  ["twelve short memories without a pause", 12, "I need tea.", 1],
  ["each of twelve long ones by itself, first for its digest and then for its key", 12, "\ufdfa".repeat(8_000), 24],
])("reads %s", (_, count, content, slices) => {
  const work = foldNearDuplicates(Array.from({ length: count }, () => ({ content })));
  let steps = 1;
  while (work.next().done !== true) steps += 1;
  expect(steps).toBe(slices);
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
