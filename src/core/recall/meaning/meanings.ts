// The meaning of candidates beside the question's.
import type { Question } from "#core/recall/question.ts";
import type { MeaningSource } from "#core/recall/rerank.ts";
import { similarity, squareOf } from "./word-vectors.ts";

/** The sentence model's vector of the memory captured at this sequence; undefined while it has not been made. */
export type SentenceVectorOf = (sequence: number) => Int8Array | undefined;

interface IndexedMemory {
  readonly sequence: number;
  /** Where its vector from the table of word vectors is. */
  readonly index: { similarityTo(document: number, vector: Int8Array, square: number): number };
  readonly document: number;
}

/**
 * By the sentence model if it knows the question and all candidates, otherwise by the table. Similarities of the two
 * cannot be compared, so one ranking never mixes them.
 */
export function meaningsOf(
  { vector, sentenceVector }: Question,
  candidates: readonly IndexedMemory[],
  sentenceVectorOf: SentenceVectorOf,
): { readonly meanings: readonly number[]; readonly meaningBy: MeaningSource } {
  const sentences = sentenceVector && candidates.map(({ sequence }) => sentenceVectorOf(sequence));
  if (sentences?.every((sentence) => sentence !== undefined))
    return { meanings: sentences.map((sentence) => similarity(sentence, sentenceVector)), meaningBy: "minilm" };
  if (vector === undefined) return { meanings: candidates.map(() => 0), meaningBy: "table" };
  const square = squareOf(vector);
  const meanings = candidates.map(({ index, document }) => index.similarityTo(document, vector, square));
  return { meanings, meaningBy: "table" };
}
