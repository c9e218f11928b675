// The inverted index of one namespace: terms to postings, and what is needed to score a posting.
//
// Memories are numbered as they come ("places"), so places ascend with sequences. A forgotten memory keeps its place,
// unseen, until the whole namespace is empty or the index is built again; statistics never count it.
import { PortcullisError } from "#core/errors.ts";
import { type Corpus, termScore } from "./bm25.ts";
import { countOf, createPostings, documentOf, grown, MAX_DOCUMENTS } from "./postings.ts";
import { termsOf } from "./tokenizer.ts";
import type { Top } from "./top-k.ts";

interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

export interface NamespaceIndex {
  /** Places taken, those of forgotten memories included. */
  readonly size: number;
  readonly memories: number;
  readonly terms: number;
  add(sequence: number, content: string): void;
  forget(captured: number): void;
  memoriesWith(term: string): number;
  /** Writes the score of every place into `scores`. */
  score(weighted: readonly WeightedTerm[], corpus: Corpus, scores: Float64Array): void;
  /** Offers every memory with a score to `top`. */
  offer(scores: Float64Array, top: Top): void;
  /** The sequences of the newest `limit` memories. */
  newest(limit: number): number[];
}

export function createNamespaceIndex(): NamespaceIndex {
  const termNumbers = new Map<string, number>();
  const postings = createPostings();
  let sequences = new Float64Array(16);
  let lengths = new Uint32Array(16);
  let forgotten = new Uint8Array(16);
  let size = 0;
  let memories = 0;
  let terms = 0;

  function newPlace(sequence: number, length: number): number {
    if (size >= MAX_DOCUMENTS)
      throw new PortcullisError("internal", "A namespace is full: the index takes 16,777,216.");
    if (size >= sequences.length) {
      sequences = grown(sequences, size + 1);
      lengths = grown(lengths, size + 1);
      forgotten = grown(forgotten, size + 1);
    }
    sequences[size] = sequence;
    lengths[size] = length;
    memories += 1;
    terms += length;
    return size++;
  }

  function numberOf(term: string): number {
    const known = termNumbers.get(term);
    if (known !== undefined) return known;
    termNumbers.set(term, termNumbers.size);
    return termNumbers.size - 1;
  }

  /** The place of a sequence, by bisection. */
  function placeOf(sequence: number): number | undefined {
    let low = 0;
    let high = size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sequences[middle] as number) < sequence) low = middle + 1;
      else high = middle;
    }
    return low < size && sequences[low] === sequence ? low : undefined;
  }

  function countRemembered(term: number): number {
    let count = 0;
    postings.visit(term, (pool, from, to) => {
      for (let i = from; i < to; i++) count += 1 - (forgotten[documentOf(pool[i] as number)] as number);
    });
    return count;
  }

  return {
    get size() {
      return size;
    },
    get memories() {
      return memories;
    },
    get terms() {
      return terms;
    },

    add(sequence, content) {
      const found = termsOf(content);
      const place = newPlace(sequence, found.length);
      for (const term of found) postings.add(numberOf(term), place);
    },

    forget(captured) {
      const place = placeOf(captured);
      if (place === undefined || forgotten[place] === 1) return;
      forgotten[place] = 1;
      memories -= 1;
      terms -= lengths[place] as number;
    },

    memoriesWith(term) {
      const number = termNumbers.get(term);
      if (number === undefined) return 0;
      return memories === size ? postings.size(number) : countRemembered(number);
    },

    score(weighted, corpus, scores) {
      const averageLength = corpus.terms / corpus.memories;
      scores.fill(0, 0, size);
      for (const { term, weight } of weighted) {
        const number = termNumbers.get(term);
        if (number === undefined) continue;
        postings.visit(number, (pool, from, to) => {
          for (let i = from; i < to; i++) {
            const posting = pool[i] as number;
            const place = documentOf(posting);
            scores[place] =
              (scores[place] as number) + termScore(weight, countOf(posting), lengths[place] as number, averageLength);
          }
        });
      }
    },

    offer(scores, top) {
      for (let place = 0; place < size; place++) {
        const score = scores[place] as number;
        if (score > 0 && forgotten[place] === 0) top.offer(score, sequences[place] as number);
      }
    },

    newest(limit) {
      const found: number[] = [];
      for (let place = size - 1; place >= 0 && found.length < limit; place--) {
        if (forgotten[place] === 0) found.push(sequences[place] as number);
      }
      return found;
    },
  };
}
