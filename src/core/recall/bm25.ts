// BM25 (Robertson and Zaragoza, 2009), with parameters for short texts: a second occurrence of a term says little, and
// so does a text's length.

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
export function inverseDocumentFrequency(corpus: Corpus, memoriesWithTerm: number): number {
  return Math.log(1 + (corpus.memories - memoriesWithTerm + 0.5) / (memoriesWithTerm + 0.5));
}

export function termScore(weight: number, count: number, length: number, averageLength: number): number {
  return (weight * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / averageLength));
}

/** No memory has a higher score by one term, however often it has it. */
export function maxTermScore(weight: number): number {
  return weight * (K1 + 1);
}

/**
 * `termScore` up to rounding errors, for long loops: `maxTermScore(weight) * count / (count + fixed + perTerm * length)`.
 */
export function lengthNormalisation(averageLength: number): { readonly fixed: number; readonly perTerm: number } {
  return { fixed: K1 * (1 - B), perTerm: (K1 * B) / averageLength };
}
