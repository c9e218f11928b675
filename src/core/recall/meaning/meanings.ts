// The meaning of candidates beside the question's.
import type { Question } from "#core/recall/question.ts";
import type { Candidate } from "#core/recall/rerank.ts";
import { similarity } from "./word-vectors.ts";

/** The sentence model's vector of the memory captured at this sequence; undefined while it has not been made. */
export type SentenceVectorOf = (sequence: number) => Int8Array | undefined;

interface Vectors {
  readonly sequence: number;
  /** From the table of word vectors. */
  readonly vector: Int8Array | undefined;
}

/**
 * By the sentence model if it knows the question and all candidates, otherwise by the table. Similarities of the two
 * cannot be compared, so one ranking never mixes them.
 */
export function meaningsOf(
  { vector, sentenceVector }: Question,
  candidates: readonly Vectors[],
  sentenceVectorOf: SentenceVectorOf,
): Pick<Candidate, "meaning" | "meaningBy">[] {
  const sentences = sentenceVector && candidates.map(({ sequence }) => sentenceVectorOf(sequence));
  if (sentences?.every((sentence) => sentence !== undefined)) {
    return sentences.map((sentence) => ({ meaning: similarity(sentence, sentenceVector), meaningBy: "minilm" }));
  }
  return candidates.map((candidate) => ({ meaning: similarity(candidate.vector, vector), meaningBy: "table" }));
}
