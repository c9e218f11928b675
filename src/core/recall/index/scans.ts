// Searches that use no postings: the newest memories, and those closest to the question in meaning.
import { partitionPoint } from "#core/collections/partition-point.ts";
import { squareOf } from "#core/recall/meaning/word-vectors.ts";
import type { Question } from "#core/recall/question.ts";
import { type RankedCandidate, sortShort } from "#core/recall/rerank.ts";
import { SCANNED_BY_MEANING } from "#core/recall/selection.ts";
import type { NamespaceIndex } from "./namespace-index.ts";
import { createTopK } from "./top-k.ts";

/** How many it looks at before it yields: a few milliseconds of work. */
const VECTORS_PER_SLICE = 10_000;

type ClosestMemory = Pick<RankedCandidate, "sequence" | "meaning">;

export function newestOf(partitions: readonly NamespaceIndex[], limit: number): number[] {
  return partitions
    .flatMap((partition) => partition.newest(limit).map(partition.sequenceOf))
    .sort((a, b) => b - a)
    .slice(0, limit);
}

/** The same as `closestInMeaning`, if these are all memories and were ranked by the table of word vectors. */
export function closestOfRanked(ranked: readonly RankedCandidate[], limit: number): ClosestMemory[] {
  const ordered = sortShort([...ranked], (a, b) => b.meaning - a.meaning || b.sequence - a.sequence);
  return ordered.slice(0, limit);
}

/** The memories whose vectors are closest to the question's, the closest first. */
export function* closestInMeaning(
  { vector }: Question,
  partitions: readonly NamespaceIndex[],
  limit: number,
): Generator<void, ClosestMemory[]> {
  if (vector === undefined) return [];
  const top = createTopK<undefined>(limit);
  const oldest = oldestScanned(partitions);
  const square = squareOf(vector);
  let scanned = 0;
  for (const partition of partitions) {
    const size = partition.size();
    for (let document = partition.lowerBound(oldest); document < size; document++) {
      if (!partition.isForgotten(document)) {
        top.offer(
          partition.similarityTo(document, vector, square),
          partition.sequenceOf(document),
          undefined,
          document,
        );
      }
      if (++scanned % VECTORS_PER_SLICE === 0) yield;
    }
  }
  return top.hits().map(({ sequence, score }) => ({ sequence, meaning: score }));
}

/** The least sequence such that no more than `SCANNED_BY_MEANING` documents come at or after it. */
function oldestScanned(partitions: readonly NamespaceIndex[]): number {
  const countFrom = (sequence: number) =>
    partitions.reduce((count, partition) => count + partition.size() - partition.lowerBound(sequence), 0);
  if (countFrom(0) <= SCANNED_BY_MEANING) return 0;
  const end = 1 + Math.max(...partitions.map((partition) => partition.sequenceOf(partition.size() - 1)));
  return partitionPoint(end, (sequence) => countFrom(sequence) > SCANNED_BY_MEANING);
}
