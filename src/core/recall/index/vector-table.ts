import { similarityAt } from "#core/recall/meaning/word-vectors.ts";
import { grow } from "./grow.ts";

/** The vectors of memories in one array. Memories have vectors of one length, or none has a vector. */
export function createVectorTable() {
  let dimensions = 0;
  let vectors = new Int8Array(0);
  return {
    add(document: number, vector: Int8Array | undefined): void {
      if (vector === undefined) return;
      dimensions = vector.length;
      const needed = (document + 1) * dimensions;
      if (vectors.length < needed) vectors = grow(vectors, needed);
      vectors.set(vector, document * dimensions);
    },

    /** Takes over the vectors of all memories. */
    restore(all: Int8Array, length: number): void {
      dimensions = length;
      vectors = new Int8Array(all);
    },

    /** Valid until the next change. */
    of: (document: number): Int8Array | undefined =>
      dimensions === 0 ? undefined : vectors.subarray(document * dimensions, (document + 1) * dimensions),

    /** How close the meaning of a memory is to a vector, given the square of that vector's length. */
    similarityTo: (document: number, vector: Int8Array, square: number): number =>
      dimensions === 0 ? 0 : similarityAt(vectors, document * dimensions, vector, square),
  };
}
