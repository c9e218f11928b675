// Meaning by look-up: the vector of a text is the weighed sum of its tokens' vectors, from a table
// (assets/word-vectors). All are integers, so that the same text gives the same bytes on every machine.
import { configurationError } from "#core/errors.ts";
import { createWordPiece, MAX_TOKENS } from "./wordpiece.ts";

const DIMENSIONS = 128;
const LARGEST = 127;
/** Sums stay below 2^31: MAX_TOKENS * LARGEST * MAX_WEIGHT. */
export const MAX_WEIGHT = 4_095;

interface WordVectorFiles {
  /** One token a line. */
  readonly vocabulary: string;
  /** For each token its weight (16 bits, little-endian, at most MAX_WEIGHT), then for each token its vector (128 times 8 bits). */
  readonly vectors: Uint8Array;
}

export function createWordVectors({ vocabulary, vectors }: WordVectorFiles) {
  const tokens = vocabulary.trimEnd();
  const { weights, rows } = readTable(vectors, linesOf(tokens));
  const wordPiece = createWordPiece(tokens);
  // Room for one text. `embed` is synchronous.
  const found = new Int32Array(MAX_TOKENS);
  const sums = new Int32Array(DIMENSIONS);

  return {
    dimensions: DIMENSIONS,
    /** The vector of a text, scaled so that its largest component is 127. All zeros when no word of the text is known. */
    embed(text: string): Int8Array {
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
export const similarity = (a: Int8Array | undefined, b: Int8Array | undefined): number =>
  a === undefined || b === undefined ? 0 : cosine(dotAt(a, 0, b), squareOf(a), squareOf(b));

/** The cosine of two vectors with this dot product and these squares of their lengths. */
export const cosine = (dot: number, squareOfA: number, squareOfB: number): number =>
  dot === 0 ? 0 : dot / Math.sqrt(squareOfA * squareOfB);

/** The dot product of a vector and the one that begins at `start` of a table. */
export function dotAt(table: Int8Array, start: number, b: Int8Array): number {
  // Four sums, and with `| 0`: they are 32-bit integers, which cannot overflow here. It takes half of the time.
  let dot0 = 0;
  let dot1 = 0;
  let dot2 = 0;
  let dot3 = 0;
  const fours = b.length & ~3;
  let i = 0;
  for (; i < fours; i += 4) {
    dot0 = (dot0 + Math.imul(table[start + i] as number, b[i] as number)) | 0;
    dot1 = (dot1 + Math.imul(table[start + i + 1] as number, b[i + 1] as number)) | 0;
    dot2 = (dot2 + Math.imul(table[start + i + 2] as number, b[i + 2] as number)) | 0;
    dot3 = (dot3 + Math.imul(table[start + i + 3] as number, b[i + 3] as number)) | 0;
  }
  for (; i < b.length; i++) dot0 += (table[start + i] as number) * (b[i] as number);
  return dot0 + dot1 + dot2 + dot3;
}

export const squareOf = (vector: Int8Array): number => dotAt(vector, 0, vector);

/** Scales a vector so that its largest component is 127 or -127, and rounds. */
export function quantise(values: ArrayLike<number>): Int8Array {
  const { length } = values;
  const quantised = new Int8Array(length);
  let largest = 0;
  for (let i = 0; i < length; i++) {
    const size = Math.abs(values[i] as number);
    if (size > largest) largest = size;
  }
  if (largest === 0) return quantised;
  for (let i = 0; i < length; i++) quantised[i] = Math.round(((values[i] as number) * LARGEST) / largest);
  return quantised;
}

/** Sums of integers that cannot overflow (MAX_WEIGHT). `Math.imul` and `| 0` keep the engine from computing with floats. */
function addRow(sums: Int32Array, rows: Int8Array, start: number, weight: number): void {
  for (let i = 0; i < DIMENSIONS; i++)
    sums[i] = ((sums[i] as number) + Math.imul(weight, rows[start + i] as number)) | 0;
}

function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

function readTable(bytes: Uint8Array, tokens: number) {
  if (bytes.length !== tokens * (2 + DIMENSIONS)) {
    throw configurationError(
      "The word vectors do not belong to their vocabulary. Restore the files of assets/word-vectors.",
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const weights = new Uint16Array(tokens);
  for (let token = 0; token < tokens; token++) weights[token] = view.getUint16(2 * token, true);
  const rows = new Int8Array(bytes.buffer, bytes.byteOffset + 2 * tokens, tokens * DIMENSIONS);
  return { weights, rows };
}
