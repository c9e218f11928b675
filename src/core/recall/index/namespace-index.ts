// The index of one namespace: terms to memories, memories to terms, and a vector for each memory. Memories are numbered
// as they come. A forgotten one is a tombstone, which keeps its number until the index is compacted, and does not
// count.

import { partitionPoint } from "#core/collections/partition-point.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Memory } from "#core/memory.ts";
import { type Corpus, termScore } from "#core/recall/bm25.ts";
import { documentTerms, TERM_BOUNDS, type TermBounds } from "#core/recall/document-terms.ts";
import type { Embed } from "#core/recall/question.ts";
import type { TermScores } from "#core/recall/rerank.ts";
import { type Comparison, createVocabulary, createWordCache } from "#core/recall/vocabulary.ts";
import { termOf } from "#core/text/words.ts";
import * as pages from "./pages.ts";
import { countOf, createPostings, documentOf, MAX_DOCUMENTS, type PostingReader, packed } from "./postings.ts";

export interface CapturedMemory extends Pick<Memory, "namespace" | "content" | "createdAt" | "occurredAt"> {
  readonly sequence: number;
}

/** A memory as the index holds it. `terms` begins with numbers of the vocabulary and their counts, packed, ascending. */
export interface IndexedMemory {
  readonly sequence: number;
  /** Of a memory that does not say it, the time of its capture. */
  readonly occurredAt: number;
  readonly length: number;
  readonly terms: Uint32Array;
  readonly termCount: number;
  readonly vector: Int8Array | undefined;
}

/** The numbers that terms of a search have in the vocabulary, ascending, and the place of each among all its terms. */
interface SearchedTerms {
  readonly ascending: readonly number[];
  readonly places: readonly number[];
}

/** So many terms of memories have room: the forward index and the postings are found by 32 bits. */
const MAX_ENTRIES = 2 ** 30;
/** What a memory needs apart from its terms, in words of 32 bits. */
const WORDS_PER_MEMORY = 48;
/** Below so many words of tombstones, and so many terms that no memory has, a compaction would give little back. */
const FEWEST_DEAD_WORDS = 2_048;
const FEWEST_DEAD_TERMS = 256;

// What it takes in memory, in bytes, for a bound on all indexes of a process: an estimate that is never far off.
const BYTES = {
  /** With the first pages of its arrays. */
  index: 6_000,
  /** Apart from its vector: sequence, times, lengths, places. */
  memory: 30,
  /** Of a memory: in the forward index, and in the postings with what is left free in their slices. */
  entry: 12,
  /** Its text in the vocabulary and among the words, its grams, and the head of its postings. */
  term: 260,
};

/** Room for the terms of one memory, used by all. */
let packedTerms = new Uint32Array(512);

export interface NamespaceIndexOptions {
  readonly embed: Embed;
  readonly bounds?: TermBounds | undefined;
  /** Whether the index is compacted even if that gives little back. Tests set it. */
  readonly compactsSmall?: boolean | undefined;
}

export type NamespaceIndex = ReturnType<typeof createNamespaceIndex>;

export function createNamespaceIndex({ embed, bounds = TERM_BOUNDS, compactsSmall = false }: NamespaceIndexOptions) {
  const vocabulary = createVocabulary(bounds.ofNamespace);
  const postings = createPostings();
  const forward = pages.createForwardIndex();
  const vectors = pages.createVectorTable();
  const known = createWordCache((word) => vocabulary.add(termOf(word)));
  const termReader = {
    ofWord: (word: string) => counted(known(word)),
    ofTerm: (term: string) => counted(vocabulary.add(term)),
  };
  const corpus = { memories: 0, terms: 0 };
  let leftOut = 0;
  /** Document numbers in use, tombstones included. */
  let documents = 0;
  const sequences: Float64Array[] = [];
  const times: Float64Array[] = [];
  const lengths: Uint32Array[] = [];
  const tombstones: Uint8Array[] = [];
  /** How many memories have each term, tombstones not counted, and how many terms have a memory. */
  let memoriesWith = new Uint32Array(16);
  let usedTerms = 0;
  /** Terms of all memories, and of those that are not forgotten. */
  let entries = 0;
  let liveEntries = 0;

  function counted(number: number | undefined): number | undefined {
    if (number === undefined) leftOut += 1;
    return number;
  }

  /** `terms` begins with `termCount` numbers and their counts, packed, ascending. */
  function addDocument({ sequence, occurredAt, length, terms, termCount, vector }: IndexedMemory): void {
    if (documents >= MAX_DOCUMENTS || entries + termCount > MAX_ENTRIES)
      throw new PortcullisError("internal", "A namespace is full: the index takes no more memories of it.");
    const document = documents++;
    pages.makeRoom(sequences, Float64Array, document);
    pages.makeRoom(times, Float64Array, document);
    pages.makeRoom(lengths, Uint32Array, document);
    pages.makeRoom(tombstones, Uint8Array, document);
    const [page, at] = [pages.pageOf(document), pages.inPage(document)];
    (sequences[page] as Float64Array)[at] = sequence;
    (times[page] as Float64Array)[at] = occurredAt;
    (lengths[page] as Uint32Array)[at] = length;
    forward.add(document, terms, termCount);
    for (let i = 0; i < termCount; i++) {
      const entry = terms[i] as number;
      const term = documentOf(entry);
      postings.add(term, document, countOf(entry));
      if (term >= memoriesWith.length) memoriesWith = pages.grow(memoriesWith, term + 1);
      const before = memoriesWith[term] as number;
      memoriesWith[term] = before + 1;
      if (before === 0) usedTerms += 1;
    }
    vectors.add(document, vector);
    entries += termCount;
    liveEntries += termCount;
    corpus.memories += 1;
    corpus.terms += length;
  }

  const sequenceOf = (document: number): number => pages.float64At(sequences, document);
  const isForgotten = (document: number): boolean => pages.uint8At(tombstones, document) === 1;

  /** Whether a memory has the term, and not only tombstones. */
  const isUsed = (number: number): boolean => (memoriesWith[number] ?? 0) > 0;

  /** The first document whose sequence is not below this. */
  const lowerBound = (sequence: number): number =>
    partitionPoint(documents, (document) => sequenceOf(document) < sequence);

  function find(captured: number): number | undefined {
    const document = lowerBound(captured);
    const isHere = document < documents && sequenceOf(document) === captured && !isForgotten(document);
    return isHere ? document : undefined;
  }

  return {
    corpus: corpus as Corpus,
    /** Document numbers in use. A search that was begun does not look at later ones. */
    size: (): number => documents,
    sequenceOf,
    occurredAt: (document: number): number => pages.float64At(times, document),
    vectorOf: vectors.of,
    similarityTo: vectors.similarityTo,
    lengthOf: (document: number): number => pages.uint32At(lengths, document),
    termsOf: forward.termsOf,
    terms: vocabulary.terms,
    liveEntries: (): number => liveEntries,
    /** How often a term of a memory was left out, because the vocabulary was full. */
    leftOut: (): number => leftOut,
    isForgotten,
    lowerBound,
    has: (sequence: number): boolean => find(sequence) !== undefined,

    /** Throws if the namespace is full, and changes nothing then. */
    add(memory: CapturedMemory): void {
      const numbers = documentTerms(memory, termReader, bounds.ofMemory).sort((a, b) => a - b);
      if (numbers.length > packedTerms.length) packedTerms = pages.grow(packedTerms, numbers.length);
      const terms = packedTerms;
      let termCount = 0;
      for (let start = 0, i = 1; i <= numbers.length; i++) {
        if (numbers[i] === numbers[start]) continue;
        terms[termCount++] = packed(numbers[start] as number, i - start);
        start = i;
      }
      const { sequence, content, createdAt } = memory;
      const occurredAt = Date.parse(memory.occurredAt ?? createdAt);
      addDocument({ sequence, occurredAt, length: numbers.length, terms, termCount, vector: embed(content) });
    },

    /** Adds a memory that another index held. The vocabulary must get its terms by `addTerm`, in the order of their numbers. */
    restore: addDocument,
    addTerm: vocabulary.add,
    restoreLeftOut(count: number): void {
      leftOut += count;
    },

    forget(captured: number): void {
      const document = find(captured);
      if (document === undefined) return;
      (tombstones[pages.pageOf(document)] as Uint8Array)[pages.inPage(document)] = 1;
      corpus.memories -= 1;
      corpus.terms -= pages.uint32At(lengths, document);
      const terms = forward.termsOf(document);
      liveEntries -= terms.length;
      for (const entry of terms) {
        const left = (memoriesWith[documentOf(entry)] as number) - 1;
        memoriesWith[documentOf(entry)] = left;
        if (left === 0) usedTerms -= 1;
      }
    },

    bytes: (): number =>
      BYTES.index +
      documents * (BYTES.memory + vectors.dimensions()) +
      entries * BYTES.entry +
      vocabulary.terms.length * BYTES.term,

    /** Whether more than half of it, or of its terms, is of forgotten memories. */
    isSparse(): boolean {
      const deadTerms = vocabulary.terms.length - usedTerms;
      const deadWords = (documents - corpus.memories) * WORDS_PER_MEMORY + entries - liveEntries;
      if (!compactsSmall && deadWords < FEWEST_DEAD_WORDS && deadTerms < FEWEST_DEAD_TERMS) return false;
      return deadTerms > usedTerms || deadWords > corpus.memories * WORDS_PER_MEMORY + liveEntries;
    },

    /** The number of the term; -1 if no memory of this namespace ever had it. */
    numberOf: (term: string): number => vocabulary.numberOf(term) ?? -1,
    /** How many memories have the term with this number, or with -1. */
    memoriesWith: (number: number): number => (number < 0 ? 0 : (memoriesWith[number] ?? 0)),

    /** Adds the terms of its memories that are spelt like the one of the comparison to `similar`. Returns the work it took. */
    addSimilarTerms: (comparison: Comparison, similar: Map<string, number>): number =>
      vocabulary.addSimilar(comparison, similar, isUsed),

    postings: postings as PostingReader,

    /** The number of terms of each memory of this one's page, by place in the page. Later memories may make another array. */
    lengthsAround: (document: number): Uint32Array => lengths[pages.pageOf(document)] as Uint32Array,

    /** The scores of one memory; undefined if it has none of the terms. Both lists of terms ascend, so that one walk joins them. */
    termScores(
      document: number,
      { ascending, places }: SearchedTerms,
      weights: readonly number[],
      averageLength: number,
    ): TermScores | undefined {
      const length = pages.uint32At(lengths, document);
      const start = forward.startOf(document);
      const run = forward.pageAt(start);
      const first = pages.inPage(start) + 1;
      const end = first + (run[first - 1] as number);
      let found: { places: number[]; scores: number[] } | undefined;
      for (let i = first, next = 0; i < end && next < ascending.length; ) {
        const entry = run[i] as number;
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
      while (at >= 0 && at < size && isForgotten(at)) at += step;
      return at < size ? at : -1;
    },

    newest(limit: number): number[] {
      const newest: number[] = [];
      for (let document = documents - 1; document >= 0 && newest.length < limit; document--) {
        if (!isForgotten(document)) newest.push(document);
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
