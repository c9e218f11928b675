// Meaning by look-up: the vector of a text is the weighed sum of its tokens' vectors, from a table that ships with the
// project (assets/word-vectors). It knows that an allergy is near a peanut, and nothing about the order of words.
//
// Rows and weights are integers and so are the sums. The same text gives the same bytes on every machine.
import { PortcullisError } from "#core/errors.ts";
import { createWordPiece, MAX_TOKENS } from "./wordpiece.ts";

const DIMENSIONS = 128;
const LARGEST = 127;
/** Sums stay below 2^31: MAX_TOKENS * LARGEST * MAX_WEIGHT. */
export const MAX_WEIGHT = 4_095;

export interface WordVectors {
  readonly dimensions: typeof DIMENSIONS;
  /** The vector of a text, scaled so that its largest component is 127. All zeros when no word of the text is known. */
  embed(text: string): Int8Array;
}

interface WordVectorFiles {
  /** One token a line. */
  readonly vocabulary: string;
  /** For each token its weight (16 bits, little-endian, at most MAX_WEIGHT), then for each token its vector (128 times 8 bits). */
  readonly vectors: Uint8Array;
}

export function createWordVectors({ vocabulary, vectors }: WordVectorFiles): WordVectors {
  const tokens = vocabulary.trimEnd().split("\n");
  const { weights, rows } = readTable(vectors, tokens.length);
  const wordPiece = createWordPiece(tokens);
  // Room for one text. `embed` is synchronous.
  const found = new Int32Array(MAX_TOKENS);
  const sums = new Int32Array(DIMENSIONS);

  return {
    dimensions: DIMENSIONS,
    embed(text) {
      const count = wordPiece.tokenize(text, found);
      sums.fill(0);
      for (let i = 0; i < count; i++) {
        const token = found[i] as number;
        addRow(sums, rows, token * DIMENSIONS, weights[token] as number);
      }
      return quantise(sums);
    },
  };
}

/** The cosine of two vectors, from -1 to 1. A vector of zeros is like nothing: 0. So is one that is absent. */
export function similarity(a: Int8Array | undefined, b: Int8Array | undefined): number {
  return a === undefined || b === undefined ? 0 : similarityAt(a, 0, b, squareOf(b));
}

/** The same for the vector that begins at `start` of a table, for long scans. */
export function similarityAt(table: Int8Array, start: number, b: Int8Array, squareOfB: number): number {
  let dot = 0;
  let square = 0;
  let oddDot = 0;
  let oddSquare = 0;
  const even = b.length & ~1;
  // Two at a time, and with `| 0`: the sums are 32-bit integers, which cannot overflow here. It takes two thirds of the time.
  for (let i = 0; i < even; i += 2) {
    const x = table[start + i] as number;
    const next = table[start + i + 1] as number;
    dot = (dot + Math.imul(x, b[i] as number)) | 0;
    oddDot = (oddDot + Math.imul(next, b[i + 1] as number)) | 0;
    square = (square + Math.imul(x, x)) | 0;
    oddSquare = (oddSquare + Math.imul(next, next)) | 0;
  }
  if (even < b.length) {
    const last = table[start + even] as number;
    dot += last * (b[even] as number);
    square += last * last;
  }
  const sum = dot + oddDot;
  return sum === 0 ? 0 : sum / Math.sqrt((square + oddSquare) * squareOfB);
}

export function squareOf(vector: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (vector[i] as number) ** 2;
  return sum;
}

/** Scales a vector so that its largest component is 127 or -127, and rounds. */
export function quantise(values: ArrayLike<number>): Int8Array {
  const quantised = new Int8Array(values.length);
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i] as number));
  if (largest === 0) return quantised;
  for (let i = 0; i < values.length; i++) quantised[i] = Math.round(((values[i] as number) * LARGEST) / largest);
  return quantised;
}

function addRow(sums: Int32Array, rows: Int8Array, start: number, weight: number): void {
  for (let i = 0; i < DIMENSIONS; i++) sums[i] = (sums[i] as number) + weight * (rows[start + i] as number);
}

function readTable(bytes: Uint8Array, tokens: number) {
  if (bytes.length !== tokens * (2 + DIMENSIONS)) {
    throw new PortcullisError(
      "configuration",
      "The word vectors do not belong to their vocabulary. Restore the files of assets/word-vectors.",
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const weights = Uint16Array.from({ length: tokens }, (_, token) => view.getUint16(2 * token, true));
  const rows = new Int8Array(bytes.buffer, bytes.byteOffset + 2 * tokens, tokens * DIMENSIONS);
  return { weights, rows };
}
