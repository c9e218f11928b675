// The terms of one namespace: numbers for them, and an n-gram index that finds terms of similar spelling.
//
// Lists of the n-gram index are linked lists in typed arrays, found by a hash of the n-gram. Two n-grams may share a
// list, so that a list can name too many terms but never too few; the similarity itself is computed from the spelling.

import { gramLength, isComparable, similarityOf } from "#core/recall/text/ngrams.ts";
import { MIN_SIMILARITY } from "#core/recall/weighted-terms.ts";
import { grow } from "./grow.ts";

const MIN_LISTS = 256;
/** Lists are doubled when there are more entries than this for each. */
const ENTRIES_PER_LIST = 4;
/** Of one term. */
const USUAL_GRAMS = 6;

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
  /** A bit for each first letter of a comparable term. Letters share bits. */
  let initials = 0;

  /** Makes no strings of the n-grams. One that occurs twice in a term is in its list twice, which does no harm. */
  function addGrams(term: string, number: number): void {
    const marked = `^${term}$`;
    const length = gramLength(term);
    const first = hashOf(term, 0, 1, FNV_OFFSET);
    initials |= initialOf(term);
    for (let start = 0; start + length <= marked.length; start++) {
      if (entries === entryTerms.length) {
        entryTerms = grow(entryTerms, entries + 1);
        nextEntries = grow(nextEntries, entries + 1);
      }
      const list = mixed(hashOf(marked, start, start + length, first)) & (heads.length - 1);
      entryTerms[entries] = number;
      nextEntries[entries] = heads[list] as number;
      heads[list] = ++entries;
    }
  }

  const listOf = (gram: string): number => mixed(hashOf(gram, 0, gram.length, FNV_OFFSET)) & (heads.length - 1);

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
     * Adds the other terms with the same first letter and a similarity of at least `MIN_SIMILARITY` to `similar`. `grams`
     * are those of the term.
     */
    addSimilar(term: string, grams: readonly string[], similar: Map<string, number>): void {
      // Similar terms begin with the same letter, and a small namespace has few.
      if ((initials & initialOf(term)) === 0) return;
      if (shared.length < terms.length) shared = new Uint16Array(2 * terms.length);
      const found: number[] = [];
      for (const gram of grams) {
        for (let entry = heads[listOf(gram)] as number; entry !== 0; ) {
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

const initialOf = (term: string): number => 1 << (term.charCodeAt(0) & 31);

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a of a part of a text, after what was hashed before. */
function hashOf(text: string, from: number, to: number, before: number): number {
  let hash = before;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return hash;
}

const mixed = (hash: number): number => (hash ^ (hash >>> 15)) >>> 0;
