// Query expansion and weighting: the terms of a question, and terms of the memories that are spelt like them.
import { type Corpus, inverseDocumentFrequency } from "./bm25.ts";
import { MAX_TERMS, type QuestionTerm } from "./question.ts";
import { isComparable } from "./text/ngrams.ts";

/** Over the memories that the agent may use, and no others. */
export interface TermStatistics {
  readonly corpus: Corpus;
  /** How many memories have the term. It is asked for terms in the order of the result, and for none again that has any. */
  memoriesWith(term: string): number;
  /** Terms with the same first letter and a similarity (Dice coefficient of the n-grams) of at least `MIN_SIMILARITY`. */
  similarTerms(term: string): ReadonlyMap<string, number>;
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
export const MAX_WEIGHTED_TERMS = MAX_TERMS + MAX_EXPANDED * MAX_SIMILAR;

/** Each term once, those of the question first. Terms that no memory has are left out. */
export function weigh(terms: readonly QuestionTerm[], statistics: TermStatistics): WeightedTerm[] {
  const weighted: WeightedTerm[] = [];
  function add(term: string, factor: number, isContent: boolean): void {
    for (const known of weighted) if (known.term === term) return;
    const memories = statistics.memoriesWith(term);
    if (memories === 0) return;
    weighted.push({ term, weight: factor * inverseDocumentFrequency(statistics.corpus, memories), isContent });
  }
  for (const { term, isContent } of terms) add(term, isContent ? 1 : QUESTION_WORD_WEIGHT, isContent);
  let expanded = 0;
  for (const { term, isContent } of terms) {
    if (!isContent || !isComparable(term)) continue;
    for (const [similar, similarity] of mostSimilar(statistics.similarTerms(term)))
      add(similar, SIMILAR_TERM_WEIGHT * similarity, true);
    if (++expanded === MAX_EXPANDED) break;
  }
  return weighted;
}

function mostSimilar(similar: ReadonlyMap<string, number>): Iterable<readonly [term: string, similarity: number]> {
  if (similar.size < 2) return similar;
  return [...similar].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, MAX_SIMILAR);
}
