// From the model's token vectors to the table: centre, scale to unit length, whiten by principal components, weigh,
// quantise.
import { MAX_WEIGHT, quantise } from "#core/recall/meaning/word-vectors.ts";
import { isSpecialToken } from "#core/recall/meaning/wordpiece.ts";
import { WIDTH } from "./bert.ts";
import { eigenvectors } from "./eigenvectors.ts";

export const DIMENSIONS = 128;
/** The most frequent word. The vocabulary has special tokens and single characters before it. */
const FIRST_WORD = "the";
/** The constant of smooth inverse frequency (Arora, Liang and Ma 2017). */
const SMOOTHING = 1e-3;
/** Single characters, which are mostly punctuation marks and digits, say little. */
const CHARACTER_WEIGHT = 0.1;

/** What was subtracted and what was kept. It is committed, so that a test can make single rows again. */
export interface Projection {
  readonly mean: Float64Array;
  /** One axis a row, divided by the standard deviation along it. */
  readonly axes: Float64Array;
}

/** The principal axes of the tokens that stand for text. `vectors` has a row for each token. */
export function principalAxes(vocabulary: readonly string[], vectors: Float64Array): Projection {
  const tokens = vocabulary.flatMap((token, position) => (isSpecialToken(token) ? [] : [position]));
  const mean = new Float64Array(WIDTH);
  for (const token of tokens)
    for (let i = 0; i < WIDTH; i++)
      mean[i] = (mean[i] as number) + (vectors[token * WIDTH + i] as number) / tokens.length;
  const moments = new Float64Array(WIDTH * WIDTH);
  for (const token of tokens) addOuterProduct(moments, direction(vectors.subarray(token * WIDTH), mean), tokens.length);
  const axes = new Float64Array(DIMENSIONS * WIDTH);
  for (const [row, { value, vector }] of eigenvectors(moments, WIDTH, DIMENSIONS).entries())
    axes.set(
      vector.map((component) => component / Math.sqrt(value)),
      row * WIDTH,
    );
  // In the precision of the file, so that the rows follow from it exactly.
  return { mean: mean.map(Math.fround), axes: axes.map(Math.fround) };
}

/** From the mean to the vector, with length 1. */
function direction(vector: Float64Array, mean: Float64Array): Float64Array {
  const centred = mean.map((value, i) => (vector[i] as number) - value);
  const length = Math.sqrt(centred.reduce((sum, value) => sum + value * value, 0));
  return centred.map((value) => value / length);
}

function addOuterProduct(matrix: Float64Array, vector: Float64Array, divisor: number): void {
  for (let row = 0; row < WIDTH; row++) {
    const factor = (vector[row] as number) / divisor;
    for (let column = 0; column < WIDTH; column++)
      matrix[row * WIDTH + column] = (matrix[row * WIDTH + column] as number) + factor * (vector[column] as number);
  }
}

/** A token's vector in the whitened principal axes. */
export function project(vector: Float64Array, { mean, axes }: Projection): Float64Array {
  const unit = direction(vector, mean);
  return Float64Array.from({ length: DIMENSIONS }, (_, axis) => {
    let sum = 0;
    for (let i = 0; i < WIDTH; i++) sum += (unit[i] as number) * (axes[axis * WIDTH + i] as number);
    return sum;
  });
}

/**
 * Smooth inverse frequency: words that are frequent say little. The vocabulary is in order of frequency, so that a word's
 * rank gives its probability by Zipf's law.
 */
export function weightOf(vocabulary: readonly string[], position: number): number {
  if (isSpecialToken(vocabulary[position] as string)) return 0;
  const rank = position - vocabulary.indexOf(FIRST_WORD) + 1;
  if (rank < 1) return CHARACTER_WEIGHT;
  const probability = 1 / (rank * Math.log(vocabulary.length));
  return SMOOTHING / (SMOOTHING + probability);
}

/** A token's vector in 8 bits, and the weight that undoes the scaling, up to a factor that all tokens share. */
export function quantisedRow(vocabulary: readonly string[], position: number, projected: Float64Array) {
  const peak = projected.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const weight = weightOf(vocabulary, position);
  return { row: quantise(projected), scale: peak * weight };
}

/** The bytes of vectors.bin: a weight of 16 bits for each token, then a vector for each token. */
export function tableOf(vocabulary: readonly string[], projected: readonly Float64Array[]): Uint8Array {
  const rows = projected.map((vector, position) => quantisedRow(vocabulary, position, vector));
  const largest = rows.reduce((best, { scale }) => Math.max(best, scale), 0);
  const bytes = new Uint8Array(vocabulary.length * (2 + DIMENSIONS));
  const view = new DataView(bytes.buffer);
  for (const [position, { row, scale }] of rows.entries()) {
    view.setUint16(2 * position, Math.round((scale * MAX_WEIGHT) / largest), true);
    bytes.set(new Uint8Array(row.buffer), 2 * vocabulary.length + position * DIMENSIONS);
  }
  return bytes;
}
