// Arrays of numbers in pages. The first page grows as an ordinary array does, and later ones have their full size. So a
// small namespace costs little, and a large one never copies more than a page while the event loop waits.
import { cosine, dotAt, squareOf } from "#core/recall/meaning/word-vectors.ts";

const PAGE_BITS = 16;
const PAGE = 2 ** PAGE_BITS;
const FIRST_PAGE = 16;

type Numbers = Int8Array | Uint8Array | Uint32Array | Float64Array;

/** A copy with at least `needed` elements. It at least doubles, so that growing is cheap on average. */
export function grow<A extends Numbers>(array: A, needed: number): A {
  const larger = new (array.constructor as new (length: number) => A)(Math.max(needed, array.length * 2));
  larger.set(array);
  return larger;
}

export const pageOf = (index: number): number => index >>> PAGE_BITS;
export const inPage = (index: number): number => index & (PAGE - 1);
/** The first index of the next page. */
export const endOfPage = (index: number): number => (pageOf(index) + 1) * PAGE;

/** Makes room for the element at `index`, which is of the last page or the next. Each element has `width` numbers. */
export function makeRoom<A extends Numbers>(pages: A[], Type: new (length: number) => A, index: number, width = 1) {
  const page = pages[pageOf(index)];
  const needed = (inPage(index) + 1) * width;
  if (page === undefined) pages.push(new Type(index < PAGE ? Math.max(needed, FIRST_PAGE * width) : PAGE * width));
  else if (page.length < needed) pages[pageOf(index)] = grow(page, needed);
}

/** Where a run of elements begins that is not divided between pages, if `used` elements are in use. */
export const startOfRun = (used: number, length: number): number =>
  inPage(used) + length > PAGE ? endOfPage(used) : used;

// One function for each type, because V8 makes fast code for one type of array.
export const float64At = (pages: readonly Float64Array[], index: number): number =>
  (pages[pageOf(index)] as Float64Array)[inPage(index)] as number;
export const uint32At = (pages: readonly Uint32Array[], index: number): number =>
  (pages[pageOf(index)] as Uint32Array)[inPage(index)] as number;
export const uint8At = (pages: readonly Uint8Array[], index: number): number =>
  (pages[pageOf(index)] as Uint8Array)[inPage(index)] as number;

// The forward index: the terms of each memory with their counts, packed as postings are, in ascending order.

export function createForwardIndex() {
  /** Runs, one for each document: the number of its terms, and the terms. A run is in one page. */
  const runs: Uint32Array[] = [];
  const starts: Uint32Array[] = [];
  let end = 0;

  return {
    /** Documents must come in their order. `terms` begins with the terms of this one. */
    add(document: number, terms: Uint32Array, termCount: number): void {
      const start = startOfRun(end, termCount + 1);
      end = start + termCount + 1;
      makeRoom(runs, Uint32Array, end - 1);
      makeRoom(starts, Uint32Array, document);
      (starts[pageOf(document)] as Uint32Array)[inPage(document)] = start;
      const run = runs[pageOf(start)] as Uint32Array;
      let at = inPage(start);
      run[at++] = termCount;
      for (let i = 0; i < termCount; i++) run[at++] = terms[i] as number;
    },

    /** Where a document's run begins, and the page of that. */
    startOf: (document: number): number => uint32At(starts, document),
    pageAt: (start: number): Uint32Array => runs[pageOf(start)] as Uint32Array,

    /** Valid until the next change. */
    termsOf(document: number): Uint32Array {
      const start = uint32At(starts, document);
      const run = runs[pageOf(start)] as Uint32Array;
      const first = inPage(start) + 1;
      return run.subarray(first, first + (run[first - 1] as number));
    },
  };
}

/** The vectors of memories in pages. Memories have vectors of one length, or none has a vector. */
export function createVectorTable() {
  let dimensions = 0;
  const vectors: Int8Array[] = [];
  /** The square of each vector's length, so that a comparison is one dot product. */
  const squares: Uint32Array[] = [];

  const pageAt = (document: number): Int8Array => vectors[pageOf(document)] as Int8Array;
  const startOf = (document: number): number => inPage(document) * dimensions;

  return {
    dimensions: (): number => dimensions,
    add(document: number, vector: Int8Array | undefined): void {
      if (vector === undefined) return;
      dimensions = vector.length;
      makeRoom(vectors, Int8Array, document, dimensions);
      makeRoom(squares, Uint32Array, document);
      pageAt(document).set(vector, startOf(document));
      (squares[pageOf(document)] as Uint32Array)[inPage(document)] = squareOf(vector);
    },

    /** Valid until the next change. */
    of: (document: number): Int8Array | undefined =>
      dimensions === 0 ? undefined : pageAt(document).subarray(startOf(document), startOf(document) + dimensions),

    /** How close the meaning of a memory is to a vector, given the square of that vector's length. */
    similarityTo: (document: number, vector: Int8Array, square: number): number =>
      dimensions === 0
        ? 0
        : cosine(dotAt(pageAt(document), startOf(document), vector), uint32At(squares, document), square),
  };
}
