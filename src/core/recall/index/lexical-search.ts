// The first step of the ranking: the best memories by the sum of their terms' scores, as a search that reads all
// postings finds them. Documents are scored in blocks. Once there are enough hits, terms that together cannot beat the
// worst of them are left unread (MaxScore, Turtle and Flood 1995): mostly the common ones.
import { LEXICAL_CANDIDATES, sortShort, type TermScores, totalOf } from "#core/recall/rerank.ts";
import { BLOCK, createBlockCursors, createBlockScorer, type TermOrder, termOrderOf, toBeat } from "./block-scorer.ts";
import { endOfPage } from "./pages.ts";
import { createCursors, documentOf } from "./postings.ts";
import type { PlannedNamespace, QueryPlan } from "./query-plan.ts";
import { createTopK } from "./top-k.ts";

/** How many postings a search reads before it yields: a few milliseconds of work. */
const POSTINGS_PER_SLICE = 100_000;
const FIRST_BLOCK = 1_024;

export interface LexicalHit {
  readonly namespace: PlannedNamespace;
  readonly document: number;
  readonly sequence: number;
  readonly score: number;
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
      to = Math.min(from + blockAfter(scored), size, endOfPage(from));
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

/** Of the next block. The first ones are small: all of their postings are read until there are enough hits. */
function blockAfter(scored: number): number {
  return Math.min(Math.max(scored, FIRST_BLOCK), BLOCK);
}

// The same for few memories, as most agents have: to score every one takes less time than to open the posting lists. A
// property test holds both to a search that reads everything.

/** Up to so many documents a scan is faster. It takes far less than a millisecond, so it does not pause. */
export const MAX_SCANNED = 500;

export function scanForward({ namespaces, weights, averageLength }: QueryPlan): LexicalHit[] {
  const hits: LexicalHit[] = [];
  for (const namespace of namespaces) {
    const { index, size, places } = namespace;
    if (places.length === 0) continue;
    for (let document = 0; document < size; document++) {
      if (index.isForgotten(document)) continue;
      const own = index.termScores(document, namespace, weights, averageLength);
      if (own === undefined) continue;
      hits.push({ namespace, document, sequence: index.sequenceOf(document), score: totalOf(own), own });
    }
  }
  sortShort(hits, (a, b) => b.score - a.score || b.sequence - a.sequence);
  return hits.length > LEXICAL_CANDIDATES ? hits.slice(0, LEXICAL_CANDIDATES) : hits;
}

// A threshold to begin a search with. Without one, a search reads all postings until it has enough hits.

/** It gives up after so many postings and look-ups of terms in namespaces: less than a millisecond of work. */
const MAX_WORK = 20_000;

// Room for the postings of one term in the first documents of a namespace, used by all searches.
const DOCUMENTS = 4_096;
const block = new Uint32Array(DOCUMENTS);
const cursors = createCursors(1);

/** The least score of as many memories with the heaviest terms as there are hits to be. 0 if there are fewer. */
function startingThreshold({ namespaces, weights, averageLength }: QueryPlan, order: TermOrder): number {
  const sample = new Set<number>();
  let least = Infinity;
  let work = 0;
  for (const place of order.places) {
    for (const namespace of namespaces) {
      const { index, numbers, size } = namespace;
      const number = numbers[place] as number;
      if (++work > MAX_WORK) return 0;
      if (number < 0) continue;
      index.postings.open(number, cursors, 0);
      const count = index.postings.read(cursors, 0, 0, Math.min(size, DOCUMENTS), block);
      work += count;
      for (let i = 0; i < count; i++) {
        const document = documentOf(block[i] as number);
        const sequence = index.sequenceOf(document);
        if (sample.has(sequence) || index.isForgotten(document)) continue;
        const own = index.termScores(document, namespace, weights, averageLength) as TermScores;
        least = Math.min(least, totalOf(own));
        if (sample.add(sequence).size === LEXICAL_CANDIDATES) return least;
      }
    }
  }
  return 0;
}
