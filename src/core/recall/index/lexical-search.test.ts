import fc from "fast-check";
import { expect, test } from "vitest";
import { termScore, type WeightedTerm } from "#core/recall/bm25.ts";
import { LEXICAL_CANDIDATES, totalOf } from "#core/recall/rerank.ts";
import { lexicalHits, scanForward } from "./lexical-search.ts";
import { createNamespaceIndex, type NamespaceIndex } from "./namespace-index.ts";
import { countOf, documentOf } from "./postings.ts";
import { lookUp, planWith, type QueryPlan } from "./query-plan.ts";

const AVERAGE_LENGTH = 5;
const WORDS = Array.from({ length: 60 }, (_, i) => `w${i}`);

// Word i is in every (i + 1)th memory or so. The second namespace has several blocks.
const large = indicesOf([1_000, 20_000, 3_000]);
const small = indicesOf(Array.from({ length: 1_500 }, (_, i) => 1 + (i % 2)));

function indicesOf(sizes: readonly number[]): NamespaceIndex[] {
  return sizes.map((size, p) => {
    const partition = createNamespaceIndex({ embed: () => undefined });
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

const terms = fc.uniqueArray(
  fc.record({ term: fc.constantFrom(...WORDS), weight: fc.double({ min: 0.01, max: 8, noNaN: true }) }),
  { minLength: 1, maxLength: 12, selector: ({ term }) => term },
);

test.each([
  ["a search by postings", "a few large namespaces", searchPostings, large],
  ["a search by postings", "many small namespaces", searchPostings, small],
  ["a scan of the forward index", "a few large namespaces", scanForward, large],
])("%s finds the memories of %s with the highest sums, to the last bit", (_, __, search, partitions) => {
  fc.assert(
    fc.property(terms, fc.shuffledSubarray(partitions, { minLength: 1 }), (terms, searched) => {
      const weighted = terms.map((term) => ({ ...term, isContent: true }));
      const numbers = terms.map(({ term }) => lookUp(searched, term).numbers);
      const hits = search(planWith(weighted, numbers, searched, AVERAGE_LENGTH));
      const found = hits.map(({ score, sequence }) => ({ score, sequence }));
      expect(found).toEqual(bestOfAll(searched, weighted));
      expect(hits.map(({ own }) => totalOf(own))).toEqual(hits.map(({ score }) => score));
    }),
    { numRuns: 30 },
  );
});

function searchPostings(plan: QueryPlan) {
  const work = lexicalHits(plan);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

function bestOfAll(searched: readonly NamespaceIndex[], weighted: readonly WeightedTerm[]) {
  const all = searched.flatMap((partition) => {
    const documents = Array.from({ length: partition.size() }, (_, document) => document);
    return documents
      .filter((document) => !partition.isForgotten(document))
      .map((document) => {
        const entries = Array.from(partition.termsOf(document));
        let score = 0;
        for (const { term, weight } of weighted) {
          const entry = entries.find((packed) => documentOf(packed) === partition.numberOf(term));
          if (entry !== undefined)
            score += termScore(weight, countOf(entry), partition.lengthOf(document), AVERAGE_LENGTH);
        }
        return { score, sequence: partition.sequenceOf(document) };
      });
  });
  const byScore = all.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || b.sequence - a.sequence);
  return byScore.slice(0, LEXICAL_CANDIDATES);
}
