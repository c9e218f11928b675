import fc from "fast-check";
import { expect, test } from "vitest";
import { MIN_SIMILARITY } from "./bm25.ts";
import { TERM_BOUNDS } from "./document-terms.ts";
import { gramsOf, isComparable, similarityOf } from "./gram-index.ts";
import { comparisonOf, createVocabulary } from "./vocabulary.ts";

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
      const vocabulary = createVocabulary(TERM_BOUNDS.ofNamespace);
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

test("a vocabulary of thousands of terms finds every similar one", () => {
  const vocabulary = createVocabulary(TERM_BOUNDS.ofNamespace);
  const letters = (i: number) => [16, 8, 4, 2, 1].map((unit) => "aeiotrsn"[Math.floor(i / unit) % 8]).join("");
  const list = [
    ...new Set(Array.from({ length: 6_000 }, (_, i) => `${letters(i)}${letters(i * 7)}${letters(i * 31)}`)),
  ];
  for (const term of list) vocabulary.add(term);
  for (const asked of list.filter((_, i) => i % 500 === 3).map((term) => term.replace("a", "e"))) {
    const grams = gramsOf(asked);
    const expected = list.filter(
      (term) => term !== asked && term[0] === asked[0] && similarityOf(grams, term) >= MIN_SIMILARITY,
    );
    const similar = new Map<string, number>();
    vocabulary.addSimilar(comparisonOf(asked), similar, () => true);
    expect([...similar.keys()].sort()).toEqual(expected.sort());
  }
});

test("a vocabulary reads a bounded number of terms with the same n-gram, the newest", () => {
  const vocabulary = createVocabulary(TERM_BOUNDS.ofNamespace);
  const letters = (i: number) => [676, 26, 1].map((unit) => String.fromCharCode(97 + (Math.floor(i / unit) % 26)));
  const list = Array.from({ length: 12_000 }, (_, i) => `marzipan${letters(i).join("")}`);
  for (const term of list) vocabulary.add(term);
  const comparison = comparisonOf("marzipan");
  const similar = new Map<string, number>();
  const work = vocabulary.addSimilar(comparison, similar, () => true);
  expect(similar.has(list.at(-1) as string)).toBe(true);
  expect(similar.size).toBeLessThan(4_096);
  expect(work).toBeLessThan(50 * list.length);
});
