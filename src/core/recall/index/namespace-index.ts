// The index of one namespace: an inverted index (terms to memories), a forward index (memories to terms), and a vector
// for each memory.
//
// Memories are numbered as they come, so document numbers ascend with sequences. A forgotten memory becomes a tombstone:
// it keeps its number until the namespace is empty or the index is built again, and statistics do not count it.
import { PortcullisError } from "#core/errors.ts";
import { type Corpus, termScore } from "#core/recall/bm25.ts";
import type { Embed } from "#core/recall/question.ts";
import type { TermScores } from "#core/recall/rerank.ts";
import { documentTerms } from "#core/recall/text/document-terms.ts";
import { termOf } from "#core/recall/text/tokenizer.ts";
import { grow } from "./grow.ts";
import { countOf, createPostings, documentOf, MAX_DOCUMENTS, type PostingReader, packed } from "./postings.ts";
import { createVectorTable } from "./vector-table.ts";
import { type Comparison, createVocabulary } from "./vocabulary.ts";
import { createWordCache } from "./word-cache.ts";

export interface CapturedMemory {
  readonly sequence: number;
  readonly namespace: string;
  readonly content: string;
  readonly createdAt: string;
}

/** A memory as the index holds it. `terms` begins with numbers of the vocabulary and their counts, packed, ascending. */
export interface IndexedMemory {
  readonly sequence: number;
  readonly capturedAt: number;
  readonly length: number;
  readonly terms: Uint32Array;
  readonly termCount: number;
}

/** The numbers that terms of a search have in the vocabulary, ascending, and the place of each among all its terms. */
interface SearchedTerms {
  readonly ascending: readonly number[];
  readonly places: readonly number[];
}

export type NamespaceIndex = ReturnType<typeof createNamespaceIndex>;

export function createNamespaceIndex(embed: Embed) {
  const vocabulary = createVocabulary();
  const postings = createPostings();
  const vectors = createVectorTable();
  const numberOfWord = createWordCache((word) => vocabulary.add(termOf(word)));
  const corpus = { memories: 0, terms: 0 };
  /** Document numbers in use, tombstones included. */
  let documents = 0;
  let sequences = new Float64Array(16);
  let capturedAt = new Float64Array(16);
  let lengths = new Uint32Array(16);
  let tombstones = new Uint8Array(16);
  /** How many memories have each term, tombstones not counted. */
  let memoriesWith = new Uint32Array(16);
  /** The forward index: each memory's terms with their counts, and where they end. */
  let forward = new Uint32Array(64);
  let forwardEnds = new Uint32Array(16);

  function newDocument(sequence: number, time: number, length: number): number {
    if (documents >= MAX_DOCUMENTS)
      throw new PortcullisError("internal", "A namespace is full: the index takes 16,777,216 memories.");
    if (documents >= sequences.length) {
      sequences = grow(sequences, documents + 1);
      capturedAt = grow(capturedAt, documents + 1);
      lengths = grow(lengths, documents + 1);
      tombstones = grow(tombstones, documents + 1);
      forwardEnds = grow(forwardEnds, documents + 1);
    }
    sequences[documents] = sequence;
    capturedAt[documents] = time;
    lengths[documents] = length;
    forwardEnds[documents] = startOf(documents);
    corpus.memories += 1;
    corpus.terms += length;
    return documents++;
  }

  /** Where a memory's terms begin in the forward index. */
  const startOf = (document: number): number => (document === 0 ? 0 : (forwardEnds[document - 1] as number));

  function addTerm(document: number, term: number, count: number): void {
    postings.add(term, document, count);
    if (term >= memoriesWith.length) memoriesWith = grow(memoriesWith, term + 1);
    memoriesWith[term] = (memoriesWith[term] as number) + 1;
    const end = forwardEnds[document] as number;
    if (end === forward.length) forward = grow(forward, end + 1);
    forward[end] = packed(term, count);
    forwardEnds[document] = end + 1;
  }

  /** Whether a memory has the term, and not only tombstones. */
  const isUsed = (number: number): boolean => (memoriesWith[number] as number) > 0;

  /** Binary search for the first document whose sequence is not below this. */
  function lowerBound(sequence: number): number {
    let low = 0;
    let high = documents;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sequences[middle] as number) < sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function find(captured: number): number | undefined {
    const document = lowerBound(captured);
    const isHere = document < documents && sequences[document] === captured && tombstones[document] === 0;
    return isHere ? document : undefined;
  }

  return {
    corpus: corpus as Corpus,
    /** Document numbers in use. A search that was begun does not look at later ones. */
    size: (): number => documents,
    sequenceOf: (document: number): number => sequences[document] as number,
    capturedAt: (document: number): number => capturedAt[document] as number,
    vectorOf: vectors.of,
    similarityTo: vectors.similarityTo,
    lengthOf: (document: number): number => lengths[document] as number,
    termCountOf: (document: number): number => (forwardEnds[document] as number) - startOf(document),
    /** Numbers of the vocabulary with their counts, packed. */
    termsOf: (document: number): Uint32Array => forward.subarray(startOf(document), forwardEnds[document]),
    terms: vocabulary.terms,
    isForgotten: (document: number): boolean => tombstones[document] === 1,
    lowerBound,
    /** Whether it holds the memory that was captured at this sequence. */
    has: (sequence: number): boolean => find(sequence) !== undefined,

    add(memory: CapturedMemory): void {
      const numbers = documentTerms(memory, numberOfWord, vocabulary.add).sort((a, b) => a - b);
      const document = newDocument(memory.sequence, Date.parse(memory.createdAt), numbers.length);
      for (let start = 0, i = 1; i <= numbers.length; i++) {
        if (numbers[i] === numbers[start]) continue;
        addTerm(document, numbers[start] as number, i - start);
        start = i;
      }
      vectors.add(document, embed(memory.content));
    },

    /** Adds a memory that another index held. The vocabulary must get its terms by `addTerm`, in the order of their numbers. */
    restore({ sequence, capturedAt, length, terms, termCount }: IndexedMemory): void {
      const document = newDocument(sequence, capturedAt, length);
      for (let i = 0; i < termCount; i++)
        addTerm(document, documentOf(terms[i] as number), countOf(terms[i] as number));
    },
    restoreVectors: vectors.restore,
    addTerm: vocabulary.add,
    reserveTerms: vocabulary.reserve,

    forget(captured: number): void {
      const document = find(captured);
      if (document === undefined) return;
      tombstones[document] = 1;
      corpus.memories -= 1;
      corpus.terms -= lengths[document] as number;
      for (let i = startOf(document); i < (forwardEnds[document] as number); i++) {
        const term = documentOf(forward[i] as number);
        memoriesWith[term] = (memoriesWith[term] as number) - 1;
      }
    },

    /** The number of the term; -1 if no memory of this namespace ever had it. */
    numberOf: (term: string): number => vocabulary.numberOf(term) ?? -1,
    /** How many memories have the term with this number, or with -1. */
    memoriesWith: (number: number): number => (number < 0 ? 0 : (memoriesWith[number] as number)),

    /** Adds the terms of its memories that are spelt like the one of the comparison to `similar`. */
    addSimilarTerms(comparison: Comparison, similar: Map<string, number>): void {
      vocabulary.addSimilar(comparison, similar, isUsed);
    },

    postings: postings as PostingReader,

    /** The number of terms of each memory. Later memories may make another array. */
    lengths: (): Uint32Array => lengths,

    /** The scores of one memory; undefined if it has none of the terms. Both lists of terms ascend, so that one walk joins them. */
    termScores(
      document: number,
      { ascending, places }: SearchedTerms,
      weights: readonly number[],
      averageLength: number,
    ): TermScores | undefined {
      const length = lengths[document] as number;
      const end = forwardEnds[document] as number;
      let found: { places: number[]; scores: number[] } | undefined;
      for (let i = startOf(document), next = 0; i < end && next < ascending.length; ) {
        const entry = forward[i] as number;
        const difference = documentOf(entry) - (ascending[next] as number);
        if (difference === 0) {
          const place = places[next] as number;
          found ??= { places: [], scores: [] };
          insert(found, place, termScore(weights[place] as number, countOf(entry), length, averageLength));
        }
        if (difference <= 0) i++;
        if (difference >= 0) next++;
      }
      return found;
    },

    /** The memory before (-1) or after (1) this one and below `size`; -1 if there is none. */
    neighbour(document: number, step: number, size: number): number {
      let at = document + step;
      while (at >= 0 && at < size && tombstones[at] === 1) at += step;
      return at < size ? at : -1;
    },

    /** The newest `limit` memories, newest first. */
    newest(limit: number): number[] {
      const newest: number[] = [];
      for (let document = documents - 1; document >= 0 && newest.length < limit; document--) {
        if (tombstones[document] === 0) newest.push(document);
      }
      return newest;
    },
  };
}

/** Keeps the scores in the order of their places. */
function insert({ places, scores }: { places: number[]; scores: number[] }, place: number, score: number): void {
  let at = places.length;
  for (; at > 0 && (places[at - 1] as number) > place; at--) {
    places[at] = places[at - 1] as number;
    scores[at] = scores[at - 1] as number;
  }
  places[at] = place;
  scores[at] = score;
}
