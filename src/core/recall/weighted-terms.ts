// Query expansion and weighting: the terms of a question, and terms of the memories that are spelt like them.
import { type Corpus, inverseDocumentFrequency } from "./bm25.ts";
import type { QuestionTerm } from "./question.ts";
import { isComparable } from "./text/ngrams.ts";

/** Over the memories that the agent may use, and no others. */
export interface TermStatistics {
  readonly corpus: Corpus;
  memoriesWith(term: string): number;
  /** Terms with the same first letter and a similarity of at least `MIN_SIMILARITY`, in any order. */
  similarTerms(term: string): Iterable<SimilarTerm>;
}

export interface SimilarTerm {
  readonly term: string;
  /** The Dice coefficient of the n-grams. */
  readonly similarity: number;
}

export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
  readonly isContent: boolean;
}

export const MIN_SIMILARITY = 0.5;
const QUESTION_WORD_WEIGHT = 0.2;
const SIMILAR_TERM_WEIGHT = 0.6;
/** For each of the first terms of a question. */
const MAX_SIMILAR = 4;
const MAX_EXPANDED = 16;

/** Each term once, those of the question first. Terms that no memory has are left out. */
export function weigh(terms: readonly QuestionTerm[], statistics: TermStatistics): WeightedTerm[] {
  const weighted = new Map<string, WeightedTerm>();
  function add(term: string, factor: number, isContent: boolean): void {
    const memories = weighted.has(term) ? 0 : statistics.memoriesWith(term);
    if (memories === 0) return;
    weighted.set(term, { term, weight: factor * inverseDocumentFrequency(statistics.corpus, memories), isContent });
  }
  for (const { term, isContent } of terms) add(term, isContent ? 1 : QUESTION_WORD_WEIGHT, isContent);
  const expanded = terms.filter(({ term, isContent }) => isContent && isComparable(term)).slice(0, MAX_EXPANDED);
  for (const { term } of expanded) {
    for (const similar of mostSimilar(statistics.similarTerms(term))) {
      add(similar.term, SIMILAR_TERM_WEIGHT * similar.similarity, true);
    }
  }
  return [...weighted.values()];
}

function mostSimilar(terms: Iterable<SimilarTerm>): SimilarTerm[] {
  return [...terms].sort((a, b) => b.similarity - a.similarity || (a.term < b.term ? -1 : 1)).slice(0, MAX_SIMILAR);
}
