// Which terms have an n-gram: it finds terms of similar spelling. Linked lists in typed arrays, found by a hash of the
// n-gram and divided one at a time (linear hashing, Litwin 1980), so that nothing is ever hashed again all at once. Two
// n-grams may have the same hash: a list can name too many terms.
import { grow, inPage, makeRoom, pageOf, uint32At } from "./index/pages.ts";

const FEWEST_LISTS_BITS = 8;
const FEWEST_LISTS = 2 ** FEWEST_LISTS_BITS;
/** Of a word that also holds the number of a term, below them. All entries of a list agree in the bits below these. */
const HASH_BITS = 12;
const NUMBER_BITS = 32 - HASH_BITS;
const MOST_LISTS = 2 ** (FEWEST_LISTS_BITS + HASH_BITS);
/** Lists are divided when there are more entries than this for each, so many with each new term at most. */
const ENTRIES_PER_LIST = 4;
const DIVISIONS_PER_TERM = 2;
/** No language has so many terms with one n-gram. What a list has beyond them, the oldest, is not found. */
const LONGEST_LIST = 2_048;

const hashBits = (hash: number): number => (hash >>> FEWEST_LISTS_BITS) & (2 ** HASH_BITS - 1);
const numberIn = (word: number): number => word & (2 ** NUMBER_BITS - 1);

export function createGramIndex() {
  /** The first entry of each list, plus one. */
  let heads = new Uint32Array(FEWEST_LISTS);
  let lists = FEWEST_LISTS;
  /** The greatest power of two that is not above the number of lists: this many lists, and those below, were divided last. */
  let level = FEWEST_LISTS;
  /** Of each entry two adjacent words: the bits of its hash with the number of its term, and the next entry, plus one. */
  const pool: Uint32Array[] = [];
  let entries = 0;

  function listOf(hash: number): number {
    const list = hash & (2 * level - 1);
    return list < lists ? list : list & (level - 1);
  }

  const pageAt = (entry: number): Uint32Array => pool[pageOf(2 * entry)] as Uint32Array;
  const setNext = (entry: number, next: number): void => {
    pageAt(entry)[inPage(2 * entry) + 1] = next;
  };

  /** Divides the next list by one more bit of the hash. The order of its entries stays. */
  function divide(): void {
    if (lists === heads.length) heads = grow(heads, lists + 1);
    const lower = lists - level;
    const bit = (level >>> FEWEST_LISTS_BITS) << NUMBER_BITS;
    let [lastBelow, lastAbove] = [-1, -1];
    let next = heads[lower] as number;
    heads[lower] = 0;
    for (let length = 0; next !== 0 && length < LONGEST_LIST; length++) {
      const entry = next - 1;
      const word = uint32At(pool, 2 * entry);
      next = uint32At(pool, 2 * entry + 1);
      setNext(entry, 0);
      if ((word & bit) === 0) {
        if (lastBelow < 0) heads[lower] = entry + 1;
        else setNext(lastBelow, entry + 1);
        lastBelow = entry;
      } else {
        if (lastAbove < 0) heads[lists] = entry + 1;
        else setNext(lastAbove, entry + 1);
        lastAbove = entry;
      }
    }
    lists += 1;
    if (lists === 2 * level) level = lists;
  }

  return {
    add(term: string, number: number): void {
      const hashes = gramHashes(term);
      for (let i = 0; i < hashes.length; i++) {
        const hash = hashes[i] as number;
        if (hashes.indexOf(hash) < i) continue;
        makeRoom(pool, Uint32Array, 2 * entries + 1);
        const list = listOf(hash);
        pageAt(entries)[inPage(2 * entries)] = (hashBits(hash) << NUMBER_BITS) | number;
        setNext(entries, heads[list] as number);
        heads[list] = ++entries;
      }
      for (let i = 0; i < DIVISIONS_PER_TERM; i++)
        if (entries > lists * ENTRIES_PER_LIST && lists < MOST_LISTS) divide();
    },

    /** Counts in `shared` the n-gram for each term that has it, adds new ones to `found`, returns entries read. */
    count(hash: number, shared: Uint16Array, found: number[]): number {
      const bits = hashBits(hash);
      let length = 0;
      for (let next = heads[listOf(hash)] as number; next !== 0 && length < LONGEST_LIST; length++) {
        const page = pageAt(next - 1);
        const at = inPage(2 * next - 2);
        const word = page[at] as number;
        next = page[at + 1] as number;
        if (word >>> NUMBER_BITS !== bits) continue;
        const number = numberIn(word);
        const before = shared[number] as number;
        if (before === 0) found.push(number);
        shared[number] = before + 1;
      }
      return length;
    },
  };
}

/** A hash of each n-gram of the term, repeats included. It makes no strings of them. */
export function gramHashes(term: string): number[] {
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

// Similarity of spelling: the Dice coefficient of two terms' 4-grams. It forgives typing errors and joins words of one
// family whose stems differ ("allergi" and "allerg").

/** Terms with fewer letters, and terms with digits, are similar to none: 10 mg are not 100 mg. */
const COMPARABLE = /^\p{L}{4,24}$/u;
const GRAM_LENGTH = 4;
/** Terms of five letters or fewer have too few 4-grams to be compared by. */
const SHORT = 5;

export const isComparable = (term: string): boolean => COMPARABLE.test(term);

/** Without the first letter that every n-gram begins with. */
const gramLength = (term: string): number => (term.length <= SHORT ? GRAM_LENGTH - 1 : GRAM_LENGTH);

/** The distinct n-grams of a term, its ends marked. Each begins with the first letter: similar terms share it. */
export function gramsOf(term: string): string[] {
  const marked = `^${term}$`;
  const length = gramLength(term);
  const initial = term.charAt(0);
  const grams: string[] = [];
  for (let i = 0; i + length <= marked.length; i++) {
    const gram = initial + marked.slice(i, i + length);
    if (!grams.includes(gram)) grams.push(gram);
  }
  return grams;
}

/** The Dice coefficient of a term and one whose n-grams these are, from 0 to 1. */
export function similarityOf(grams: readonly string[], term: string): number {
  const others = gramsOf(term);
  let shared = 0;
  for (const gram of others) if (grams.includes(gram)) shared += 1;
  return (2 * shared) / (grams.length + others.length);
}
