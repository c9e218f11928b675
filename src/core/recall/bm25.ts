// BM25 (Robertson and Zaragoza, 2009), with parameters for short texts: second occurrences and length say little.
import { isComparable } from "./gram-index.ts";
import { MAX_TERMS, type QuestionTerm } from "./question.ts";

/** The index stores a term's count in a memory in one byte. */
export const MAX_TERM_COUNT = 255;

const K1 = 0.6;
const B = 0.3;

/** Statistics over the memories that the agent may use, and no others: the ranking must not reveal the rest. */
export interface Corpus {
  readonly memories: number;
  /** Terms in all memories, repeats included. */
  readonly terms: number;
}

/** Inverse document frequency. Never negative, also for a term that every memory has. */
const inverseDocumentFrequency = (corpus: Corpus, memoriesWithTerm: number): number =>
  Math.log(1 + (corpus.memories - memoriesWithTerm + 0.5) / (memoriesWithTerm + 0.5));

export const termScore = (weight: number, count: number, length: number, averageLength: number): number =>
  (weight * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / averageLength));

/** No memory has a higher score by one term, however often it has it. */
export const maxTermScore = (weight: number): number => weight * (K1 + 1);

/** `termScore` up to rounding, for loops: `maxTermScore(weight) * count / (count + fixed + perTerm * length)`. */
export function lengthNormalisation(averageLength: number): { readonly fixed: number; readonly perTerm: number } {
  return { fixed: K1 * (1 - B), perTerm: (K1 * B) / averageLength };
}

// Query expansion and weighting: the terms of a question, and terms of the memories that are spelt like them.

/** Over the memories that the agent may use, and no others. */
export interface TermStatistics {
  readonly corpus: Corpus;
  /** How many memories have the term. It is asked for terms in the order of the result, and for none again that has any. */
  memoriesWith(term: string): number;
  /** Terms with the same first letter and a similarity (Dice coefficient of the n-grams) of at least `MIN_SIMILARITY`. */
  similarTerms(term: string): ReadonlyMap<string, number>;
}

export type WeightedTerm = Pick<QuestionTerm, "term" | "isContent"> & { readonly weight: number };

export const MIN_SIMILARITY = 0.5;
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
  for (const { term, isContent, weight } of terms) add(term, weight, isContent);
  for (const { term, weight } of expandedTerms(terms)) {
    for (const [similar, similarity] of mostSimilar(statistics.similarTerms(term)))
      add(similar, weight * SIMILAR_TERM_WEIGHT * similarity, true);
  }
  return weighted;
}

/** The terms that others of similar spelling are added to. */
export function expandedTerms(terms: readonly QuestionTerm[]): QuestionTerm[] {
  const expanded: QuestionTerm[] = [];
  for (const each of terms)
    if (expanded.length < MAX_EXPANDED && each.isContent && isComparable(each.term)) expanded.push(each);
  return expanded;
}

function mostSimilar(similar: ReadonlyMap<string, number>): Iterable<readonly [term: string, similarity: number]> {
  if (similar.size < 2) return similar;
  return [...similar].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, MAX_SIMILAR);
}
