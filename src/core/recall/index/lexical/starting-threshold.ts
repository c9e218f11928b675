// A threshold to begin a search with. Without one, a search reads all postings until it has enough hits.

import { createCursors, documentOf } from "#core/recall/index/postings.ts";
import type { QueryPlan } from "#core/recall/index/query-plan.ts";
import { LEXICAL_CANDIDATES, type TermScores, totalOf } from "#core/recall/rerank.ts";
import type { TermOrder } from "./term-order.ts";

/** It gives up after so many postings and look-ups of terms in namespaces: less than a millisecond of work. */
const MAX_WORK = 20_000;

// Room for the postings of one term in the first documents of a namespace, used by all searches.
const DOCUMENTS = 4_096;
const block = new Uint32Array(DOCUMENTS);
const cursors = createCursors(1);

/**
 * The least score of a sample, which are memories with the heaviest terms. The sample is as large as the number of hits, so
 * every hit has at least this score. 0 if no sample was found.
 */
export function startingThreshold({ namespaces, weights, averageLength }: QueryPlan, order: TermOrder): number {
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
