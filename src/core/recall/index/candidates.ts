// The candidates for the second step of the ranking, gathered from the indices of the namespaces.
import { meaningsOf, type SentenceVectorOf } from "#core/recall/meaning.ts";
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

  const scoresOf = termScorer(weighted, averageLength);
  const own = hits.map(({ from, document }) => (gather(from, document).own = scoresOf(from, document)));
  for (const [rank, { from: partition, document }] of hits.entries()) {
    for (const step of [-1, 1] as const) {
      for (const [i, neighbour] of partition.neighbours(document, step, NEIGHBOURS).entries()) {
        const isCandidate = rank < CANDIDATES_WITH_NEIGHBOURS || gathered.has(partition.sequenceOf(neighbour));
        // For the neighbour after this memory, this memory is the one before.
        const lender = { scores: own[rank] as TermScores, distance: -step * (i + 1) };
        if (isCandidate) gather(partition, neighbour).lenders.push(lender);
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

/** Scores single memories. The terms are looked up once in each namespace. */
function termScorer(weighted: readonly WeightedTerm[], averageLength: number) {
  const weights = weighted.map(({ weight }) => weight);
  const placesOf = new Map<NamespaceIndex, ReadonlyMap<number, number>>();
  return (partition: NamespaceIndex, document: number): TermScores => {
    let places = placesOf.get(partition);
    if (places === undefined) {
      places = new Map(partition.numbersOf(weighted).map((number, place) => [number, place]));
      placesOf.set(partition, places);
    }
    return partition.termScores(document, places, weights, averageLength);
  };
}
