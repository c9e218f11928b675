// The first step of the ranking: the best memories by the sum of their terms' scores. It reads few of the postings of
// common terms (MaxScore, Turtle and Flood 1995) and finds the same memories as a search that reads them all.
//
// Documents are scored in blocks. Once there are enough hits, a document must beat the worst of them. Terms of so little
// weight that all of them together cannot do that are left unread: a document is scored only if its other terms come
// near enough. The terms that are read are mostly the rare ones.

import type { PlannedNamespace, QueryPlan } from "#core/recall/index/query-plan.ts";
import { createTopK } from "#core/recall/index/top-k.ts";
import { LEXICAL_CANDIDATES, type TermScores } from "#core/recall/rerank.ts";
import { BLOCK, createBlockCursors, createBlockScorer, toBeat } from "./block-scorer.ts";
import { startingThreshold } from "./starting-threshold.ts";
import { termOrderOf } from "./term-order.ts";

/** How many postings a search reads before it yields: a few milliseconds of work. */
const POSTINGS_PER_SLICE = 100_000;
const FIRST_BLOCK = 1_024;

export interface LexicalHit {
  readonly namespace: PlannedNamespace;
  readonly document: number;
  readonly sequence: number;
  readonly score: number;
  /** What the score is the sum of. */
  readonly own: TermScores;
}

/** The candidates of the first step, best first. It does not look at memories that are added while it pauses. */
export function* lexicalHits(plan: QueryPlan): Generator<void, LexicalHit[]> {
  const order = termOrderOf(plan.weights);
  const top = createTopK<PlannedNamespace>(LEXICAL_CANDIDATES, startingThreshold(plan, order));
  // For all namespaces, of which an agent may use thousands.
  const cursors = createBlockCursors(plan.weights.length);
  let scored = 0;
  let work = 0;
  for (const namespace of plan.namespaces) {
    // Most small namespaces are passed over here: none of their memories can be among the best.
    if (namespace.places.length === 0 || order.mostBy(namespace.places) < toBeat(top.threshold())) continue;
    const { size } = namespace;
    const scorer = createBlockScorer(namespace, plan, cursors);
    for (let from = 0, to = 0; from < size; from = to) {
      to = Math.min(from + blockAfter(scored), size);
      scorer.offerBlock(from, to, order, top);
      scored += to - from;
      work += scorer.takeWork();
      if (work < POSTINGS_PER_SLICE) continue;
      work = 0;
      yield;
    }
  }
  return top.hits().map(({ from: namespace, document, sequence, score }) => {
    const own = namespace.index.termScores(document, namespace, plan.weights, plan.averageLength) as TermScores;
    return { namespace, document, sequence, score, own };
  });
}

/**
 * The size of the next block after so many documents. The first ones are small, because all of their postings are read
 * until there are enough hits.
 */
function blockAfter(scored: number): number {
  return Math.min(Math.max(scored, FIRST_BLOCK), BLOCK);
}
