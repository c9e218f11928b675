// The first step of the ranking for few memories: it scores every one by the forward index. Up to some hundred memories
// that takes less time than to open the posting lists, and most agents have no more. `lexicalHits` finds the same, and a
// property test holds both to a search that reads everything.

import type { QueryPlan } from "#core/recall/index/query-plan.ts";
import { LEXICAL_CANDIDATES, totalOf } from "#core/recall/rerank.ts";
import { sortShort } from "#core/recall/sort-short.ts";
import type { LexicalHit } from "./lexical-search.ts";

/** Up to so many documents a scan is faster. It takes far less than a millisecond, so it does not pause. */
export const MAX_SCANNED = 500;

/** The candidates of the first step, best first. */
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
