// The terms of one namespace: numbers for them, and which are spelt alike.
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import { MIN_SIMILARITY } from "./bm25.ts";
import { createGramIndex, gramHashes, gramsOf, isComparable, similarityOf } from "./gram-index.ts";

/** A Map that grows is hashed again all at once. So there is a new one after so many terms. */
const TERMS_PER_MAP = 2 ** 15;
/** The terms of a small namespace have one Map. Later ones are divided by a hash of them, so that a look-up asks two. */
const FIRST_TERMS = 2 ** 10;
const SHARDS = 128;
/** To compare the spelling of two terms takes as long as to read so many entries of the n-gram index. */
const ENTRIES_PER_COMPARISON = 50;

/** How many n-grams each term shares with the one that is looked for: room for one search at a time, zeros in between. */
let shared = new Uint16Array(256);

/** A term that others are compared with, and what every comparison needs of it. */
export interface Comparison {
  readonly term: string;
  /** The hashes of the n-grams, repeats included. */
  readonly hashes: readonly number[];
  /** A term with fewer n-grams in common cannot reach the similarity, whatever its length. */
  readonly fewest: number;
}

export function comparisonOf(term: string): Comparison {
  const hashes = gramHashes(term);
  let distinct = 0;
  for (let i = 0; i < hashes.length; i++) if (hashes.indexOf(hashes[i] as number) === i) distinct += 1;
  return { term, hashes, fewest: (MIN_SIMILARITY * distinct) / (2 - MIN_SIMILARITY) };
}

/** It takes `mostTerms` terms and no more. */
export function createVocabulary(mostTerms: number) {
  const terms: string[] = [];
  const first = new Map<string, number>();
  const shards = new Map<number, Map<string, number>[]>();
  const grams = createGramIndex();
  /** Which first letters the comparable terms have, one bit for all letters of one remainder. */
  let initials = 0;

  function numberOf(term: string): number | undefined {
    const number = first.get(term);
    if (number !== undefined || shards.size === 0) return number;
    for (const map of shards.get(shardOf(term)) ?? []) {
      const later = map.get(term);
      if (later !== undefined) return later;
    }
    return undefined;
  }

  /** The Map that takes a new term. */
  function mapFor(term: string): Map<string, number> {
    if (first.size < FIRST_TERMS) return first;
    const shard = getOrInsert(shards, shardOf(term), () => []);
    if ((shard.at(-1)?.size ?? TERMS_PER_MAP) >= TERMS_PER_MAP) shard.push(new Map());
    return shard.at(-1) as Map<string, number>;
  }

  return {
    terms: terms as readonly string[],
    numberOf,

    /** The number of the term, which is a new one if it is not known yet; undefined if there is no room for it. */
    add(term: string): number | undefined {
      const known = numberOf(term);
      if (known !== undefined || terms.length >= mostTerms) return known;
      const number = terms.length;
      const copy = copyOf(term);
      mapFor(copy).set(copy, number);
      terms.push(copy);
      if (isComparable(copy)) {
        initials |= initialOf(copy);
        grams.add(copy, number);
      }
      return number;
    },

    /** Adds to `similar` the other terms in use that are spelt like it, by their similarity. Returns the work. */
    addSimilar(
      { term, hashes, fewest }: Comparison,
      similar: Map<string, number>,
      isUsed: (number: number) => boolean,
    ): number {
      // A small namespace has terms with half of the letters.
      if ((initials & initialOf(term)) === 0) return 0;
      if (shared.length < terms.length) shared = new Uint16Array(2 * terms.length);
      const found: number[] = [];
      let work = 0;
      for (let i = 0; i < hashes.length; i++) work += grams.count(hashes[i] as number, shared, found);
      let ofTerm: readonly string[] | undefined;
      for (const number of found) {
        const count = shared[number] as number;
        shared[number] = 0;
        if (count < fewest) continue;
        const other = terms[number] as string;
        if (other === term || similar.has(other) || !isUsed(number)) continue;
        work += ENTRIES_PER_COMPARISON;
        ofTerm ??= gramsOf(term);
        const similarity = similarityOf(ofTerm, other);
        if (similarity >= MIN_SIMILARITY) similar.set(other, similarity);
      }
      return work;
    },
  };
}

/** Whoever chooses terms that share one makes their look-ups slower, but not one Map of all of them. */
function shardOf(term: string): number {
  let hash = 0;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash, 31) + term.charCodeAt(i);
  return (hash ^ (hash >>> 7) ^ (hash >>> 14)) & (SHARDS - 1);
}

const initialOf = (term: string): number => 1 << (term.charCodeAt(0) & 31);

const MAX_WORDS = 20_000;
/** So many words come before it is worth its memory: a small namespace has none. */
const FIRST_WORDS = 500;
/** Longer ones are rare, and as many of them would fill the memory. */
const LONGEST_WORD = 32;

/** A cache of what words become, of one namespace: a shared one would tell by its speed which words others have. */
export function createWordCache(numberOf: (word: string) => number | undefined): (word: string) => number | undefined {
  const numbers = new Map<string, number>();
  let read = 0;
  return (word) => {
    if (read++ < FIRST_WORDS) return numberOf(word);
    const cached = numbers.get(word);
    if (cached !== undefined) return cached;
    const number = numberOf(word);
    if (number === undefined || word.length > LONGEST_WORD) return number;
    if (numbers.size >= MAX_WORDS) numbers.clear();
    numbers.set(copyOf(word), number);
    return number;
  };
}

/** V8 represents longer parts of a text as slices of it, which keep the whole text in memory. */
const SHORTEST_SLICE = 13;

/** The same text, which keeps no other in memory. */
const copyOf = (text: string): string => (text.length < SHORTEST_SLICE ? text : Array.from(text).join(""));
