// The terms of one namespace: numbers for them, and an n-gram index that finds terms of similar spelling.
//
// Lists of the n-gram index are linked lists in typed arrays, found by a hash of the n-gram. Two n-grams may share a
// list, so that a list can name too many terms but never too few; the similarity itself is computed from the spelling.

import { gramLength, gramsOf, isComparable, similarityOf } from "#core/recall/text/ngrams.ts";
import { MIN_SIMILARITY } from "#core/recall/weighted-terms.ts";
import { grow } from "./grow.ts";

const MIN_LISTS = 256;
/** Lists are doubled when there are more entries than this for each. */
const ENTRIES_PER_LIST = 4;
/** Of one term. */
const USUAL_GRAMS = 6;

/** How many n-grams each term shares with the one that is looked for: room for one search at a time, zeros in between. */
let shared = new Uint16Array(MIN_LISTS);

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

export function createVocabulary() {
  const numbers = new Map<string, number>();
  const terms: string[] = [];
  /** The first entry of each list, plus one. */
  let heads = new Uint32Array(MIN_LISTS);
  /** Of each entry: the number of its term, and the next entry of its list, plus one. */
  let entryTerms = new Uint32Array(MIN_LISTS);
  let nextEntries = new Uint32Array(MIN_LISTS);
  let entries = 0;
  /** Which first letters the comparable terms have, one bit for all letters of one remainder. */
  let initials = 0;

  /** An n-gram that occurs twice in a term is in its list twice, which does no harm. */
  function addGrams(term: string, number: number): void {
    initials |= initialOf(term);
    for (const hash of gramHashes(term)) {
      if (entries === entryTerms.length) {
        entryTerms = grow(entryTerms, entries + 1);
        nextEntries = grow(nextEntries, entries + 1);
      }
      const list = hash & (heads.length - 1);
      entryTerms[entries] = number;
      nextEntries[entries] = heads[list] as number;
      heads[list] = ++entries;
    }
  }

  function doubleLists(): void {
    heads = new Uint32Array(heads.length * 2);
    entries = 0;
    for (const [number, term] of terms.entries()) if (isComparable(term)) addGrams(term, number);
  }

  return {
    terms: terms as readonly string[],

    numberOf(term: string): number | undefined {
      return numbers.get(term);
    },

    /** Makes room for so many terms. To be called while there is none. */
    reserve(count: number): void {
      while (heads.length * ENTRIES_PER_LIST < count * USUAL_GRAMS) heads = new Uint32Array(heads.length * 2);
    },

    /** The number of the term, which is a new one if it is not known yet. */
    add(term: string): number {
      const known = numbers.get(term);
      if (known !== undefined) return known;
      const number = terms.length;
      numbers.set(term, number);
      terms.push(term);
      if (isComparable(term)) addGrams(term, number);
      if (entries > heads.length * ENTRIES_PER_LIST) doubleLists();
      return number;
    },

    /**
     * Adds the other terms with the same first letter and a similarity of at least `MIN_SIMILARITY` to `similar`, if they
     * are in use: a vocabulary keeps the terms of forgotten memories.
     */
    addSimilar(
      { term, hashes, fewest }: Comparison,
      similar: Map<string, number>,
      isUsed: (number: number) => boolean,
    ): void {
      // A small namespace has terms with half of the letters.
      if ((initials & initialOf(term)) === 0) return;
      if (shared.length < terms.length) shared = new Uint16Array(2 * terms.length);
      const found: number[] = [];
      for (let i = 0; i < hashes.length; i++) {
        for (let entry = heads[(hashes[i] as number) & (heads.length - 1)] as number; entry !== 0; ) {
          const number = entryTerms[entry - 1] as number;
          if (shared[number] === 0) found.push(number);
          shared[number] = (shared[number] as number) + 1;
          entry = nextEntries[entry - 1] as number;
        }
      }
      let grams: readonly string[] | undefined;
      for (const number of found) {
        const count = shared[number] as number;
        shared[number] = 0;
        if (count < fewest) continue;
        const other = terms[number] as string;
        if (other === term || similar.has(other) || !isUsed(number)) continue;
        grams ??= gramsOf(term);
        const similarity = similarityOf(grams, other);
        if (similarity >= MIN_SIMILARITY) similar.set(other, similarity);
      }
    },
  };
}

const initialOf = (term: string): number => 1 << (term.charCodeAt(0) & 31);

/** A hash of each n-gram of the term, repeats included. It makes no strings of them. */
function gramHashes(term: string): number[] {
  const hashes: number[] = [];
  const marked = `^${term}$`;
  const length = gramLength(term);
  const initial = hashOf(term, 0, 1, FNV_OFFSET);
  for (let start = 0; start + length <= marked.length; start++)
    hashes.push(mixed(hashOf(marked, start, start + length, initial)));
  return hashes;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a of a part of a text, after what was hashed before. */
function hashOf(text: string, from: number, to: number, before: number): number {
  let hash = before;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return hash;
}

const mixed = (hash: number): number => hash ^ (hash >>> 15);
