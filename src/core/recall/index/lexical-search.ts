// The first step of the ranking: the best memories by the sum of their terms' scores. It reads few of the postings of
// common terms (MaxScore, Turtle and Flood 1995) and finds the same memories as a search that reads them all.
//
// Documents are scored in blocks. Once there are enough hits, a document must beat the worst of them. Terms of so little
// weight that all of them together cannot do that are left unread: a document is scored only if its other terms come
// near enough. The terms that are read are mostly the rare ones.
import { LEXICAL_CANDIDATES } from "#core/recall/rerank.ts";
import type { WeightedTerm } from "#core/recall/weighted-terms.ts";
import { BLOCK, createBlockScorer, toBeat } from "./block-scorer.ts";
import type { NamespaceIndex } from "./namespace-index.ts";
import type { NamespaceTerms } from "./namespace-terms.ts";
import { termOrderOf } from "./term-order.ts";
import { createTopK, type Hit } from "./top-k.ts";

/** How many postings a search reads before it yields: a few milliseconds of work. */
const POSTINGS_PER_SLICE = 100_000;

/** The candidates of the first step, best first. It does not look at memories that are added while it pauses. */
export function* lexicalHits(
  searched: ReadonlyMap<NamespaceIndex, NamespaceTerms>,
  weighted: readonly WeightedTerm[],
  averageLength: number,
): Generator<void, Hit<NamespaceIndex>[]> {
  const top = createTopK<NamespaceIndex>(LEXICAL_CANDIDATES);
  const order = termOrderOf(weighted);
  let work = 0;
  for (const [partition, terms] of searched) {
    const { size } = terms;
    // Most small namespaces are passed over here: none of their memories can be among the best.
    if (terms.places.length === 0 || order.mostBy(terms.places) < toBeat(top.threshold())) continue;
    const scorer = createBlockScorer(partition, terms, weighted, averageLength);
    for (let from = 0; from < size; from += BLOCK) {
      scorer.offerBlock(from, Math.min(from + BLOCK, size), order, top);
      work += scorer.takeWork();
      if (work < POSTINGS_PER_SLICE) continue;
      work = 0;
      yield;
    }
  }
  return top.hits();
}
