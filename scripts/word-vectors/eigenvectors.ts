// Eigenvectors of a symmetric matrix, by Jacobi's cyclic method: rotate each pair of axes until the matrix is diagonal.

const MAX_SWEEPS = 30;
/** The sum of squares beside the diagonal, relative to that of the diagonal, at which the matrix counts as diagonal. */
const TOLERANCE = 1e-24;

interface Eigenvector {
  readonly value: number;
  /** Of length 1. Its largest component is positive. */
  readonly vector: Float64Array;
}

/** The eigenvectors with the largest eigenvalues, largest first. */
export function eigenvectors(symmetric: Float64Array, size: number, count: number): Eigenvector[] {
  const matrix = symmetric.slice();
  // Row i becomes the eigenvector of the eigenvalue matrix[i][i].
  const vectors = new Float64Array(size * size);
  for (let i = 0; i < size; i++) vectors[i * size + i] = 1;
  for (let sweep = 0; sweep < MAX_SWEEPS && !isDiagonal(matrix, size); sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) rotate(matrix, vectors, size, p, q);
    }
  }
  return Array.from({ length: size }, (_, i) => ({
    value: matrix[i * size + i] as number,
    vector: withPositivePeak(vectors.slice(i * size, (i + 1) * size)),
  }))
    .sort((a, b) => b.value - a.value)
    .slice(0, count);
}

function isDiagonal(matrix: Float64Array, size: number): boolean {
  let [beside, on] = [0, 0];
  for (let i = 0; i < matrix.length; i++) {
    const square = (matrix[i] as number) ** 2;
    if (i % (size + 1) === 0) on += square;
    else beside += square;
  }
  return beside <= on * TOLERANCE;
}

/** Makes matrix[p][q] zero by turning the axes p and q. */
function rotate(matrix: Float64Array, vectors: Float64Array, size: number, p: number, q: number): void {
  const apq = matrix[p * size + q] as number;
  if (apq === 0) return;
  const theta = ((matrix[q * size + q] as number) - (matrix[p * size + p] as number)) / (2 * apq);
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  for (let i = 0; i < size; i++) turn(matrix, i * size + p, i * size + q, cosine, sine);
  for (let i = 0; i < size; i++) turn(matrix, p * size + i, q * size + i, cosine, sine);
  for (let i = 0; i < size; i++) turn(vectors, p * size + i, q * size + i, cosine, sine);
}

function turn(values: Float64Array, a: number, b: number, cosine: number, sine: number): void {
  const x = values[a] as number;
  const y = values[b] as number;
  values[a] = cosine * x - sine * y;
  values[b] = sine * x + cosine * y;
}

function withPositivePeak(vector: Float64Array): Float64Array {
  const peak = vector.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0);
  return peak < 0 ? vector.map((value) => -value) : vector;
}
