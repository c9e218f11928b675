// Inverted index of one namespace: terms to postings, and what is needed to score a posting.
//
// Memories are numbered as they come, so document numbers ascend with sequences. A forgotten memory becomes a tombstone:
// it keeps its number until the namespace is empty or the index is built again, and statistics do not count it.
import { PortcullisError } from "#core/errors.ts";
import { countOf, createPostings, documentOf, grow, MAX_DOCUMENTS } from "./postings.ts";
import { type Corpus, termScore } from "./ranking.ts";
import { termsOf } from "./tokenizer.ts";
import type { TopK } from "./top-k.ts";

interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

/** Room for the scores of one search. The partitions of an index share it, because a search is synchronous. */
export interface Scratch {
  scores: Float64Array<ArrayBuffer>;
}

export type InvertedIndex = ReturnType<typeof createInvertedIndex>;

export function createInvertedIndex(scratch: Scratch) {
  const termNumbers = new Map<string, number>();
  const postings = createPostings();
  let sequences = new Float64Array(16);
  let lengths = new Uint32Array(16);
  let tombstones = new Uint8Array(16);
  /** Document numbers in use, tombstones included. */
  let documents = 0;
  const corpus = { memories: 0, terms: 0 };

  function newDocument(sequence: number, length: number): number {
    if (documents >= MAX_DOCUMENTS)
      throw new PortcullisError("internal", "A namespace is full: the index takes 16,777,216 memories.");
    if (documents >= sequences.length) {
      sequences = grow(sequences, documents + 1);
      lengths = grow(lengths, documents + 1);
      tombstones = grow(tombstones, documents + 1);
    }
    sequences[documents] = sequence;
    lengths[documents] = length;
    corpus.memories += 1;
    corpus.terms += length;
    return documents++;
  }

  function numberOf(term: string): number {
    const number = termNumbers.get(term);
    if (number !== undefined) return number;
    termNumbers.set(term, termNumbers.size);
    return termNumbers.size - 1;
  }

  /** Binary search. */
  function documentAt(sequence: number): number | undefined {
    let low = 0;
    let high = documents;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sequences[middle] as number) < sequence) low = middle + 1;
      else high = middle;
    }
    return low < documents && sequences[low] === sequence ? low : undefined;
  }

  function countLive(term: number): number {
    let count = 0;
    postings.visit(term, (pool, from, to) => {
      for (let i = from; i < to; i++) count += 1 - (tombstones[documentOf(pool[i] as number)] as number);
    });
    return count;
  }

  return {
    corpus: corpus as Corpus,

    add(sequence: number, content: string): void {
      const contentTerms = termsOf(content);
      const document = newDocument(sequence, contentTerms.length);
      for (const term of contentTerms) postings.add(numberOf(term), document);
    },

    forget(captured: number): void {
      const document = documentAt(captured);
      if (document === undefined || tombstones[document] === 1) return;
      tombstones[document] = 1;
      corpus.memories -= 1;
      corpus.terms -= lengths[document] as number;
    },

    memoriesWith(term: string): number {
      const number = termNumbers.get(term);
      if (number === undefined) return 0;
      return corpus.memories === documents ? postings.size(number) : countLive(number);
    },

    /** Offers every memory that matches to `top`. The statistics are those of all namespaces that are searched. */
    search(weighted: readonly WeightedTerm[], { memories, terms }: Corpus, top: TopK): void {
      if (scratch.scores.length < documents) scratch.scores = grow(scratch.scores, documents);
      const scores = scratch.scores.fill(0, 0, documents);
      const averageLength = terms / memories;
      for (const { term, weight } of weighted) {
        const number = termNumbers.get(term);
        if (number === undefined) continue;
        postings.visit(number, (pool, from, to) => {
          for (let i = from; i < to; i++) {
            const posting = pool[i] as number;
            const document = documentOf(posting);
            const length = lengths[document] as number;
            scores[document] =
              (scores[document] as number) + termScore(weight, countOf(posting), length, averageLength);
          }
        });
      }
      for (let document = 0; document < documents; document++) {
        const score = scores[document] as number;
        if (score > 0 && tombstones[document] === 0) top.offer(score, sequences[document] as number);
      }
    },

    /** The sequences of the newest `limit` memories. */
    newest(limit: number): number[] {
      const newest: number[] = [];
      for (let document = documents - 1; document >= 0 && newest.length < limit; document--) {
        if (tombstones[document] === 0) newest.push(sequences[document] as number);
      }
      return newest;
    },
  };
}
