import { cosine, dotAt } from "#core/recall/meaning/word-vectors.ts";
import { grow } from "./grow.ts";

/** The vectors of memories in one array. Memories have vectors of one length, or none has a vector. */
export function createVectorTable() {
  let dimensions = 0;
  let vectors = new Int8Array(0);
  /** The square of each vector's length, so that a comparison is one dot product. */
  let squares = new Uint32Array(16);

  const startOf = (document: number): number => document * dimensions;
  const of = (document: number): Int8Array => vectors.subarray(startOf(document), startOf(document + 1));

  function measure(document: number): void {
    const vector = of(document);
    if (document >= squares.length) squares = grow(squares, document + 1);
    squares[document] = dotAt(vector, 0, vector);
  }

  return {
    add(document: number, vector: Int8Array | undefined): void {
      if (vector === undefined) return;
      dimensions = vector.length;
      if (vectors.length < startOf(document + 1)) vectors = grow(vectors, startOf(document + 1));
      vectors.set(vector, startOf(document));
      measure(document);
    },

    /** Takes over the vectors of all memories. */
    restore(all: Int8Array, length: number): void {
      dimensions = length;
      vectors = new Int8Array(all);
      const documents = all.length / length;
      squares = new Uint32Array(documents);
      for (let document = 0; document < documents; document++) measure(document);
    },

    /** Valid until the next change. */
    of: (document: number): Int8Array | undefined => (dimensions === 0 ? undefined : of(document)),

    /** How close the meaning of a memory is to a vector, given the square of that vector's length. */
    similarityTo: (document: number, vector: Int8Array, square: number): number =>
      dimensions === 0 ? 0 : cosine(dotAt(vectors, startOf(document), vector), squares[document] as number, square),
  };
}
