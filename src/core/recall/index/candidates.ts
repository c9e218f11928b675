// The candidates for the second step of the ranking, gathered from the indices of the namespaces.
import { meaningsOf, type SentenceVectorOf } from "#core/recall/meaning/meanings.ts";
import type { Question } from "#core/recall/question.ts";
import {
  CANDIDATES_WITH_NEIGHBOURS,
  type Candidate,
  type Lender,
  NEIGHBOURS,
  type TermScores,
} from "#core/recall/rerank.ts";
import type { WeightedTerm } from "#core/recall/weighted-terms.ts";
import type { NamespaceIndex } from "./namespace-index.ts";
import type { NamespaceTerms } from "./namespace-terms.ts";
import type { Hit } from "./top-k.ts";

interface Gathered {
  readonly sequence: number;
  readonly partition: NamespaceIndex;
  readonly document: number;
  own: TermScores;
  readonly lenders: Lender[];
}

/** By sequence. `hits` are what the first step gave, best first. */
export function candidatesOf(
  question: Question,
  weighted: readonly WeightedTerm[],
  terms: ReadonlyMap<NamespaceIndex, NamespaceTerms>,
  hits: readonly Hit<NamespaceIndex>[],
  averageLength: number,
  sentenceVectorOf: SentenceVectorOf,
): Candidate[] {
  const nothing = new Float64Array(weighted.length);
  const gathered = new Map<number, Gathered>();
  function gather(partition: NamespaceIndex, document: number): Gathered {
    const sequence = partition.sequenceOf(document);
    const known = gathered.get(sequence);
    if (known !== undefined) return known;
    const candidate = { sequence, partition, document, own: nothing, lenders: [] };
    gathered.set(sequence, candidate);
    return candidate;
  }

  const weights = weighted.map(({ weight }) => weight);
  const own = hits.map(({ from, document }) => {
    const scores = from.termScores(document, terms.get(from) as NamespaceTerms, weights, averageLength);
    gather(from, document).own = scores;
    return scores;
  });
  for (const [rank, { from: partition, document }] of hits.entries()) {
    const { size } = terms.get(partition) as NamespaceTerms;
    for (let step = -1; step <= 1; step += 2) {
      let neighbour = partition.neighbour(document, step, size);
      for (let i = 1; i <= NEIGHBOURS && neighbour >= 0; i++, neighbour = partition.neighbour(neighbour, step, size)) {
        const isCandidate = rank < CANDIDATES_WITH_NEIGHBOURS || gathered.has(partition.sequenceOf(neighbour));
        if (!isCandidate) continue;
        // For the neighbour after this memory, this memory is the one before.
        gather(partition, neighbour).lenders.push({ scores: own[rank] as TermScores, distance: -step * i });
      }
    }
  }
  const ordered = [...gathered.values()].sort((a, b) => a.sequence - b.sequence);
  const vectors = ordered.map(({ sequence, partition, document }) => ({
    sequence,
    vector: partition.vectorOf(document),
  }));
  const meanings = meaningsOf(question, vectors, sentenceVectorOf);
  return ordered.map(({ sequence, partition, document, own, lenders }, i) => ({
    sequence,
    own,
    lenders,
    ...(meanings[i] as (typeof meanings)[number]),
    capturedAt: partition.capturedAt(document),
  }));
}
