import fc from "fast-check";
import { expect, test } from "vitest";
import { comparisonOf, createVocabulary } from "#core/recall/index/vocabulary.ts";
import { MIN_SIMILARITY } from "#core/recall/weighted-terms.ts";
import { gramsOf, isComparable, similarityOf } from "./ngrams.ts";

test.each([
  ["allergi", "allerg"],
  ["allergi", "alergi"],
  ["peanut", "peanuts"],
  ["restaurant", "restaurent"],
])("%s and %s are similar", (one, other) => {
  expect(similarityOf(gramsOf(one), other)).toBeGreaterThanOrEqual(MIN_SIMILARITY);
});

test.each([
  ["peanut", "walnut"],
  ["health", "wealth"],
  ["dinner", "doctor"],
])("%s and %s are not similar", (one, other) => {
  expect(similarityOf(gramsOf(one), other)).toBeLessThan(MIN_SIMILARITY);
});

test("numbers and short terms are similar to none", () => {
  expect(["10", "1000", "tea", "a1bc", "東京", "x".repeat(25)].filter(isComparable)).toEqual([]);
});

test("a vocabulary finds every similar term, whatever else it holds", () => {
  const terms = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 4, maxLength: 9 });
  fc.assert(
    fc.property(fc.uniqueArray(terms, { maxLength: 200 }), terms, (list, asked) => {
      const vocabulary = createVocabulary();
      for (const term of list) vocabulary.add(term);
      const grams = gramsOf(asked);
      const expected = list.filter(
        (term) => term !== asked && term[0] === asked[0] && similarityOf(grams, term) >= MIN_SIMILARITY,
      );
      const similar = new Map<string, number>();
      vocabulary.addSimilar(comparisonOf(asked), similar, () => true);
      expect([...similar.keys()].sort()).toEqual(expected.sort());
    }),
  );
});
