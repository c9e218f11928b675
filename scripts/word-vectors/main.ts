// npm run word-vectors: makes assets/word-vectors from the sentence model. Takes some five minutes of processor time.
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { WIDTH } from "./bert.ts";
import { readVocabulary } from "./model-files.ts";
import { principalAxes, project, tableOf } from "./recipe.ts";

const FOLDER = new URL("../../assets/word-vectors/", import.meta.url);
/** Tokens a message. The activations of a batch fit into a processor's cache. */
const BATCH = 16;

const vocabulary = readVocabulary();
const vectors = await encodeAll(vocabulary.length);
console.error("computing the principal axes");
const projection = principalAxes(vocabulary, vectors);
const projected = vocabulary.map((_, token) => project(vectors.subarray(token * WIDTH), projection));
writeFileSync(new URL("vocabulary.txt", FOLDER), `${vocabulary.join("\n")}\n`);
writeFileSync(new URL("vectors.bin", FOLDER), tableOf(vocabulary, projected));
writeFileSync(new URL("projection.bin", FOLDER), littleEndian([...projection.mean, ...projection.axes]));
console.error(`wrote ${fileURLToPath(FOLDER)}`);

/** The model's vector of every token, row after row. Threads share the work; the result does not depend on them. */
async function encodeAll(tokens: number): Promise<Float64Array> {
  const all = new Float64Array(tokens * WIDTH);
  let [next, done] = [0, 0];
  const runThread = () =>
    new Promise<void>((resolve, reject) => {
      const thread = new Worker(new URL("./encoder-thread.ts", import.meta.url));
      thread.on("error", reject);
      thread.on("message", (batch: { tokens: readonly number[]; vectors: Float64Array }) => {
        if (batch.tokens[0] !== undefined) all.set(batch.vectors, batch.tokens[0] * WIDTH);
        done += batch.tokens.length;
        if (batch.tokens.length > 0 && done % (BATCH * 64) === 0) console.error(`${done} of ${tokens} tokens`);
        const count = Math.min(BATCH, tokens - next);
        if (count > 0) thread.postMessage(Array.from({ length: count }, (_, i) => next + i));
        else thread.terminate().then(() => resolve(), reject);
        next += count;
      });
    });
  await Promise.all(Array.from({ length: availableParallelism() }, runThread));
  return all;
}

function littleEndian(values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (const [i, value] of values.entries()) view.setFloat32(4 * i, value, true);
  return new Uint8Array(view.buffer);
}
