// The candidates for the second step of the ranking, gathered from the indices of the namespaces.
import { meaningsOf, type SentenceVectorOf } from "#core/recall/meaning/meanings.ts";
import type { Question } from "#core/recall/question.ts";
import {
  CANDIDATES_WITH_NEIGHBOURS,
  type Candidate,
  type Lender,
  NEIGHBOURS,
  NO_SCORES,
  shareAt,
  type TermScores,
} from "#core/recall/rerank.ts";
import { sortShort } from "#core/recall/sort-short.ts";
import type { LexicalHit } from "./lexical-search.ts";
import type { NamespaceIndex } from "./namespace-index.ts";

interface Gathered {
  readonly sequence: number;
  readonly index: NamespaceIndex;
  readonly document: number;
  readonly own: TermScores;
  readonly lenders: Lender[];
}

/** By sequence. `hits` are what the first step gave, best first. */
export function candidatesOf(
  question: Question,
  hits: readonly LexicalHit[],
  sentenceVectorOf: SentenceVectorOf,
): Candidate[] {
  const gathered = new Map<number, Gathered>();
  for (const { sequence, document, own, namespace } of hits)
    gathered.set(sequence, { sequence, index: namespace.index, document, own, lenders: [] });
  for (let rank = 0; rank < hits.length; rank++) {
    const { namespace, document, own } = hits[rank] as LexicalHit;
    const { index, size } = namespace;
    const hasNeighbours = rank < CANDIDATES_WITH_NEIGHBOURS;
    for (let step = -1; step <= 1; step += 2) {
      let neighbour = index.neighbour(document, step, size);
      for (let i = 1; i <= NEIGHBOURS && neighbour >= 0; i++, neighbour = index.neighbour(neighbour, step, size)) {
        const sequence = index.sequenceOf(neighbour);
        let candidate = gathered.get(sequence);
        if (candidate === undefined) {
          if (!hasNeighbours) continue;
          candidate = { sequence, index, document: neighbour, own: NO_SCORES, lenders: [] };
          gathered.set(sequence, candidate);
        }
        // For the neighbour after this memory, this memory is the one before.
        candidate.lenders.push({ scores: own, share: shareAt(-step * i) });
      }
    }
  }
  const ordered = sortShort([...gathered.values()], (a, b) => a.sequence - b.sequence);
  const { meanings, meaningBy } = meaningsOf(question, ordered, sentenceVectorOf);
  return ordered.map(({ sequence, index, document, own, lenders }, i) => ({
    sequence,
    own,
    lenders,
    meaning: meanings[i] as number,
    meaningBy,
    capturedAt: index.capturedAt(document),
  }));
}
