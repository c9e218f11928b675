// The layers of a transformer, apart from the matrix products. Matrices are row after row.

/** A layer norm has one weight for each input. */
export interface LayerNorm {
  readonly weight: Float64Array;
  readonly bias: Float64Array;
}

const EPSILON = 1e-12;

/** Layer normalisation of each row, in place. */
export function layerNorm(x: Float64Array, { weight, bias }: LayerNorm): void {
  const width = weight.length;
  for (let start = 0; start < x.length; start += width) {
    const row = x.subarray(start, start + width);
    const mean = row.reduce((sum, value) => sum + value, 0) / width;
    const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / width;
    const scale = 1 / Math.sqrt(variance + EPSILON);
    for (let i = 0; i < width; i++)
      row[i] = ((row[i] as number) - mean) * scale * (weight[i] as number) + (bias[i] as number);
  }
}

/** Gaussian error linear unit, in place. */
export function gelu(x: Float64Array): void {
  for (let i = 0; i < x.length; i++) {
    const value = x[i] as number;
    x[i] = 0.5 * value * (1 + erf(value * Math.SQRT1_2));
  }
}

/** The error function, to 1.5e-7 (Abramowitz and Stegun 7.1.26). */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const polynomial = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return Math.sign(x) * (1 - polynomial * Math.exp(-x * x));
}

export function softmax(scores: Float64Array): void {
  const largest = Math.max(...scores);
  let sum = 0;
  for (let i = 0; i < scores.length; i++) {
    const value = Math.exp((scores[i] as number) - largest);
    scores[i] = value;
    sum += value;
  }
  for (let i = 0; i < scores.length; i++) scores[i] = (scores[i] as number) / sum;
}

/** Adds an array of the same length, or a row to each row. */
export function addInto(x: Float64Array, addend: Float64Array): void {
  for (let i = 0; i < x.length; i++) x[i] = (x[i] as number) + (addend[i % addend.length] as number);
}
