// The terms of one namespace: numbers for them, and an n-gram index that finds terms of similar spelling.
//
// Lists of the n-gram index are linked lists in typed arrays, found by a hash of the n-gram. Two n-grams may share a
// list, so that a list can name too many terms but never too few; the similarity itself is computed from the spelling.

import { gramsOf, isComparable, similarityOf } from "#core/recall/text/ngrams.ts";
import { MIN_SIMILARITY } from "#core/recall/weighted-terms.ts";
import { grow } from "./grow.ts";

const MIN_LISTS = 256;
/** Lists are doubled when there are more entries than this for each. */
const ENTRIES_PER_LIST = 4;

/** How many n-grams each term shares with the one that is looked for: room for one search at a time, zeros in between. */
let shared = new Uint16Array(MIN_LISTS);

export function createVocabulary() {
  const numbers = new Map<string, number>();
  const terms: string[] = [];
  /** The first entry of each list, plus one. */
  let heads = new Uint32Array(MIN_LISTS);
  /** Of each entry: the number of its term, and the next entry of its list, plus one. */
  let entryTerms = new Uint32Array(MIN_LISTS);
  let nextEntries = new Uint32Array(MIN_LISTS);
  let entries = 0;

  function addGrams(term: string, number: number): void {
    for (const gram of gramsOf(term)) {
      if (entries === entryTerms.length) {
        entryTerms = grow(entryTerms, entries + 1);
        nextEntries = grow(nextEntries, entries + 1);
      }
      const list = hashOf(gram) & (heads.length - 1);
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
     * Adds the other terms with the same first letter and a similarity of at least `MIN_SIMILARITY` to `similar`. `grams`
     * are those of the term.
     */
    addSimilar(term: string, grams: readonly string[], similar: Map<string, number>): void {
      if (shared.length < terms.length) shared = new Uint16Array(2 * terms.length);
      const found: number[] = [];
      for (const gram of grams) {
        for (let entry = heads[hashOf(gram) & (heads.length - 1)] as number; entry !== 0; ) {
          const number = entryTerms[entry - 1] as number;
          if (shared[number] === 0) found.push(number);
          shared[number] = (shared[number] as number) + 1;
          entry = nextEntries[entry - 1] as number;
        }
      }
      // A term with fewer n-grams in common cannot reach the similarity, whatever its length.
      const fewest = (MIN_SIMILARITY * grams.length) / (2 - MIN_SIMILARITY);
      for (const number of found) {
        const count = shared[number] as number;
        shared[number] = 0;
        if (count < fewest) continue;
        const other = terms[number] as string;
        if (other === term || similar.has(other)) continue;
        const similarity = similarityOf(grams, other);
        if (similarity >= MIN_SIMILARITY) similar.set(other, similarity);
      }
    },
  };
}

/** FNV-1a. */
function hashOf(gram: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < gram.length; i++) hash = Math.imul(hash ^ gram.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
