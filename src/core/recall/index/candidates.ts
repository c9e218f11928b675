// The candidates for the second step of the ranking, gathered from the indices of the namespaces.
import { meaningsOf, type SentenceVectorOf } from "#core/recall/meaning/meanings.ts";
import type { Question } from "#core/recall/question.ts";
import {
  CANDIDATES_WITH_NEIGHBOURS,
  type Candidate,
  type Lender,
  type MeaningSource,
  NEIGHBOURS,
  NO_SCORES,
  shareAt,
  type TermScores,
} from "#core/recall/rerank.ts";
import { sortShort } from "#core/recall/sort-short.ts";
import type { LexicalHit } from "./lexical/lexical-search.ts";
import type { NamespaceIndex } from "./namespace-index.ts";

/** A candidate whose meaning and source of meaning are set when all are known. */
interface Gathered extends Candidate {
  readonly index: NamespaceIndex;
  readonly document: number;
  readonly lenders: Lender[];
  meaning: number;
  meaningBy: MeaningSource;
}

function gather(index: NamespaceIndex, document: number, sequence: number, own: TermScores): Gathered {
  const capturedAt = index.capturedAt(document);
  return { sequence, own, lenders: [], meaning: 0, meaningBy: "table", capturedAt, index, document };
}

/** By sequence. `hits` are what the first step gave, best first. */
export function candidatesOf(
  question: Question,
  hits: readonly LexicalHit[],
  sentenceVectorOf: SentenceVectorOf,
): Candidate[] {
  const gathered = new Map<number, Gathered>();
  for (const { sequence, document, own, namespace } of hits)
    gathered.set(sequence, gather(namespace.index, document, sequence, own));
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
          candidate = gather(index, neighbour, sequence, NO_SCORES);
          gathered.set(sequence, candidate);
        }
        // For the neighbour after this memory, this memory is the one before.
        candidate.lenders.push({ scores: own, share: shareAt(-step * i) });
      }
    }
  }
  const ordered = sortShort([...gathered.values()], (a, b) => a.sequence - b.sequence);
  const { meanings, meaningBy } = meaningsOf(question, ordered, sentenceVectorOf);
  for (let i = 0; i < ordered.length; i++) {
    const candidate = ordered[i] as Gathered;
    candidate.meaning = meanings[i] as number;
    candidate.meaningBy = meaningBy;
  }
  return ordered;
}
