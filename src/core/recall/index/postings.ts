// Posting lists in typed arrays: for each term, the documents that have it and how often. A list is a linked list of
// slices of growing size (2, 4, 8, … words) in one pool, whose last word is the index of the next slice: a rare term
// costs two words, a common one is read almost sequentially, and postings never move.
import { MAX_TERM_COUNT } from "#core/recall/bm25.ts";
import { grow, inPage, makeRoom, pageOf, startOfRun } from "./pages.ts";

const FIRST_SLICE = 2;
const LARGEST_SLICE = 4096;
const COUNT_BITS = 8;

export const MAX_DOCUMENTS = 2 ** (32 - COUNT_BITS);

/** A posting packs the document number and the term's count into one word. */
export const packed = (number: number, count: number): number =>
  ((number << COUNT_BITS) | Math.min(count, MAX_TERM_COUNT)) >>> 0;
export const documentOf = (posting: number): number => posting >>> COUNT_BITS;
export const countOf = (posting: number): number => posting & MAX_TERM_COUNT;

// A list's header, in one cache line: first slice, next posting, end of the current slice, number of postings.
const HEAD = 0;
const TAIL = 1;
const END = 2;
const SIZE = 3;
const LIST_WORDS = 4;

/** Positions in lists. Each has its slice, the slice's length, the postings in this and later slices, and those behind it here. */
export type Cursors = Uint32Array;
export const createCursors = (count: number): Cursors => new Uint32Array(count * CURSOR_WORDS);
const CURSOR_WORDS = 4;
const AT = 0;
const LENGTH = 1;
const LEFT = 2;
const SKIPPED = 3;

export type PostingReader = Pick<ReturnType<typeof createPostings>, "open" | "read">;

export function createPostings() {
  const pool: Uint32Array[] = [];
  let used = 0;
  let lists = new Uint32Array(64 * LIST_WORDS);

  const pageAt = (index: number): Uint32Array => pool[pageOf(index)] as Uint32Array;

  /** Adds a slice to a list that is empty or whose slices are full. Returns its first index. */
  function extend(list: number, size: number): number {
    if (list >= lists.length) lists = grow(lists, list + LIST_WORDS);
    const length = sliceLength(size);
    const start = startOfRun(used, length);
    used = start + length;
    makeRoom(pool, Uint32Array, used - 1);
    const end = lists[list + END] as number;
    if (size === 0) lists[list + HEAD] = start;
    else pageAt(end)[inPage(end)] = start;
    lists[list + END] = start + length - 1;
    return start;
  }

  return {
    /** Adds a document that has the term. Documents must come in ascending order. */
    add(term: number, document: number, count: number): void {
      const list = term * LIST_WORDS;
      const size = lists[list + SIZE] ?? 0;
      const tail = lists[list + TAIL] ?? 0;
      // In an empty list both are 0.
      const isFull = tail === (lists[list + END] ?? 0);
      const at = isFull ? extend(list, size) : tail;
      pageAt(at)[inPage(at)] = packed(document, count);
      lists[list + TAIL] = at + 1;
      lists[list + SIZE] = size + 1;
    },

    open(term: number, cursors: Cursors, which: number): void {
      const list = term * LIST_WORDS;
      const cursor = which * CURSOR_WORDS;
      cursors[cursor + AT] = lists[list + HEAD] ?? 0;
      cursors[cursor + LENGTH] = FIRST_SLICE;
      cursors[cursor + LEFT] = lists[list + SIZE] ?? 0;
      cursors[cursor + SKIPPED] = 0;
    },

    /** Copies the postings of these documents into `block`, moves the cursor behind, and answers with their number. */
    read(cursors: Cursors, which: number, fromDocument: number, toDocument: number, block: Uint32Array): number {
      const cursor = which * CURSOR_WORDS;
      // No shift: `toDocument` may be 2^24.
      const first = fromDocument * 2 ** COUNT_BITS;
      const end = toDocument * 2 ** COUNT_BITS;
      let start = cursors[cursor + AT] as number;
      let length = cursors[cursor + LENGTH] as number;
      let left = cursors[cursor + LEFT] as number;
      let skipped = cursors[cursor + SKIPPED] as number;
      let count = 0;
      while (left > 0) {
        const here = Math.min(left, length - 1);
        const page = pageAt(start);
        const from = inPage(start);
        const isBefore = (page[from + here - 1] as number) < first;
        let i = isBefore ? here : skipped;
        while (i < here && (page[from + i] as number) < first) i++;
        for (; i < here; i++) {
          const posting = page[from + i] as number;
          if (posting >= end) break;
          block[count++] = posting;
        }
        skipped = i;
        if (i < here || left === here) break;
        left -= here;
        start = page[from + length - 1] as number;
        length = nextLength(length);
        skipped = 0;
      }
      cursors[cursor + AT] = start;
      cursors[cursor + LENGTH] = length;
      cursors[cursor + LEFT] = left;
      cursors[cursor + SKIPPED] = skipped;
      return count;
    },
  };
}

const nextLength = (length: number): number => Math.min(length * 2, LARGEST_SLICE);

/** The length of the next slice after full slices with `size` postings. */
function sliceLength(size: number): number {
  let length = FIRST_SLICE;
  for (let left = size; left > 0; left -= length - 1, length = nextLength(length));
  return length;
}
