// BM25 ranking, and the definition of "best" that the recall index must reproduce bit for bit.
import { termsOf } from "./tokenizer.ts";

/** Only the first distinct terms of a query count: more cost more than they find. */
const MAX_QUERY_TERMS = 128;
/** The index stores a term's count in a memory in one byte. */
export const MAX_TERM_COUNT = 255;

const K1 = 1.2;
const B = 0.75;

/** Statistics over the memories that the agent may use, and no others: the ranking must not reveal the rest. */
export interface Corpus {
  readonly memories: number;
  /** Terms in all memories, repeats included. */
  readonly terms: number;
}

/** The distinct terms of a query in their order. Scores are summed in this order, so that sums agree to the last bit. */
export function queryTerms(query: string): string[] {
  return [...new Set(termsOf(query))].slice(0, MAX_QUERY_TERMS);
}

/** Inverse document frequency. Never negative, also for a term that every memory has. */
export function termWeight(corpus: Corpus, memoriesWithTerm: number): number {
  return Math.log(1 + (corpus.memories - memoriesWithTerm + 0.5) / (memoriesWithTerm + 0.5));
}

export function termScore(weight: number, count: number, length: number, averageLength: number): number {
  return (weight * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / averageLength));
}

/**
 * The best `limit` of `memories`, which come oldest first: those that match the query by score, then the newest, because
 * a lexical miss must not hide an allergy. Ties go to the newer.
 */
export function bestMemories<M extends { readonly content: string }>(
  query: string,
  memories: readonly M[],
  limit: number,
): M[] {
  const scores = scoresOf(query, memories);
  return memories
    .map((memory, age) => ({ memory, age, score: scores[age] ?? 0 }))
    .sort((a, b) => b.score - a.score || b.age - a.age)
    .slice(0, limit)
    .map(({ memory }) => memory);
}

function scoresOf(query: string, memories: readonly { readonly content: string }[]): number[] {
  const documents = memories.map(({ content }) => countTerms(content));
  const corpus = { memories: memories.length, terms: documents.reduce((sum, { length }) => sum + length, 0) };
  const averageLength = corpus.terms / corpus.memories;
  const weighted = queryTerms(query).map((term) => {
    const memoriesWithTerm = documents.filter(({ counts }) => counts.has(term)).length;
    return { term, weight: termWeight(corpus, memoriesWithTerm) };
  });
  return documents.map(({ counts, length }) =>
    weighted.reduce((score, { term, weight }) => {
      const count = counts.get(term);
      return count === undefined ? score : score + termScore(weight, count, length, averageLength);
    }, 0),
  );
}

function countTerms(content: string): { counts: Map<string, number>; length: number } {
  const terms = termsOf(content);
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, Math.min((counts.get(term) ?? 0) + 1, MAX_TERM_COUNT));
  return { counts, length: terms.length };
}
