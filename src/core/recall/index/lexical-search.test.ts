import fc from "fast-check";
import { expect, test } from "vitest";
import { LEXICAL_CANDIDATES } from "#core/recall/rerank.ts";
import type { WeightedTerm } from "#core/recall/weighted-terms.ts";
import { lexicalHits } from "./lexical-search.ts";
import { createNamespaceIndex, type NamespaceIndex } from "./namespace-index.ts";
import { namespaceTerms } from "./namespace-terms.ts";
import { createTermNumbers } from "./term-numbers.ts";

const AVERAGE_LENGTH = 5;
const WORDS = Array.from({ length: 60 }, (_, i) => `w${i}`);

// Word i is in every (i + 1)th memory or so. The second namespace has several blocks.
const large = indicesOf([1_000, 20_000, 3_000]);
const small = indicesOf(Array.from({ length: 1_500 }, (_, i) => 1 + (i % 2)));

function indicesOf(sizes: readonly number[]): NamespaceIndex[] {
  return sizes.map((size, p) => {
    const partition = createNamespaceIndex(() => undefined);
    for (let i = 0; i < size; i++) {
      const place = i * sizes.length + p;
      const content = WORDS.filter((_, word) => hash(place, word) < 1 / (word + 1)).join(" ");
      const captured = { sequence: place + 1, namespace: "n", content, createdAt: "2026-05-01T00:00:00.000Z" };
      partition.add(captured);
      if (place % 11 === 5) partition.forget(captured.sequence);
    }
    return partition;
  });
}

function hash(memory: number, word: number): number {
  const mixed = Math.imul((memory * 61 + word + 1) ^ 0x2545f491, 0x9e3779b1);
  return (Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 8) / 2 ** 24;
}

test.each([
  ["a few large namespaces", large],
  ["many small namespaces", small],
])("finds the memories of %s with the highest sums, and the same scores as if it read everything", (_, partitions) => {
  const terms = fc.uniqueArray(
    fc.record({ term: fc.constantFrom(...WORDS), weight: fc.double({ min: 0.01, max: 8, noNaN: true }) }),
    { minLength: 1, maxLength: 12, selector: ({ term }) => term },
  );
  fc.assert(
    fc.property(terms, fc.shuffledSubarray(partitions, { minLength: 1 }), (terms, searched) => {
      const weighted = terms.map((term) => ({ ...term, isContent: true }));
      const found = search(searched, weighted).map(({ score, sequence }) => ({ score, sequence }));
      expect(found).toEqual(bestOfAll(searched, weighted));
    }),
    { numRuns: 30 },
  );
});

function search(searched: readonly NamespaceIndex[], weighted: readonly WeightedTerm[]) {
  const work = lexicalHits(createTermNumbers(searched).of(weighted), weighted, AVERAGE_LENGTH);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

function bestOfAll(searched: readonly NamespaceIndex[], weighted: readonly WeightedTerm[]) {
  const weights = weighted.map(({ weight }) => weight);
  const all = searched.flatMap((partition) => {
    const terms = namespaceTerms(
      weighted.map(({ term }) => partition.numberOf(term)),
      partition.size(),
    );
    const documents = Array.from({ length: partition.size() }, (_, document) => document);
    return documents
      .filter((document) => !partition.isForgotten(document))
      .map((document) => {
        const scores = Array.from(partition.termScores(document, terms, weights, AVERAGE_LENGTH));
        return { score: scores.reduce((sum, score) => sum + score, 0), sequence: partition.sequenceOf(document) };
      });
  });
  const byScore = all.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || b.sequence - a.sequence);
  return byScore.slice(0, LEXICAL_CANDIDATES);
}
