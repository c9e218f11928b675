import { expect, test } from "vitest";
import { createVocabulary } from "./vocabulary.ts";

test("a term has one number, of however many, and also when it was chosen to be beside others", () => {
  const many = Array.from({ length: 30_000 }, (_, i) => `term${i.toString(36)}`);
  // 31 * "a" + "b" is 31 * "b" + "C": a hash that multiplies by 31 is the same for all of them.
  const alike = Array.from({ length: 2 ** 16 }, (_, i) =>
    i.toString(2).padStart(16, "0").replaceAll("0", "ab").replaceAll("1", "bC"),
  );
  const terms = [...many, ...alike];
  const vocabulary = createVocabulary(terms.length);
  const wrongBy = (numberOf: (term: string) => number | undefined) => terms.filter((term, i) => numberOf(term) !== i);
  expect(wrongBy(vocabulary.add)).toEqual([]);
  expect(wrongBy(vocabulary.add)).toEqual([]);
  expect(wrongBy(vocabulary.numberOf)).toEqual([]);
  expect(vocabulary.terms.length).toBe(terms.length);
  expect(vocabulary.add("one more")).toBeUndefined();
  expect(vocabulary.numberOf("one more")).toBeUndefined();
});
