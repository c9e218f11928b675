// Bounded priority queue before the model's thread, which embeds one text at a time. Questions go before memories.
import { untilAborted } from "#async/with-deadline.ts";
import { PortcullisError } from "#core/errors.ts";
import type { SentenceEmbedder } from "#ports.ts";

/** How many texts of each kind may wait. The next one is refused: its caller goes on without a vector. */
const MAX_WAITING = 64;

interface Job extends PromiseWithResolvers<Int8Array> {
  readonly text: string;
}

export function createEmbeddingQueue(run: (text: string) => Promise<Int8Array>): Pick<SentenceEmbedder, "embed"> & {
  close(): void;
} {
  const waiting = { question: new Set<Job>(), memory: new Set<Job>() };
  let isRunning = false;
  let isClosed = false;

  function next(): Job | undefined {
    const queue = waiting.question.size > 0 ? waiting.question : waiting.memory;
    const [job] = queue;
    if (job !== undefined) queue.delete(job);
    return job;
  }

  async function work(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let job = next(); job !== undefined; job = next()) await run(job.text).then(job.resolve, job.reject);
    isRunning = false;
  }

  return {
    async embed(text, { of = "memory", signal } = {}) {
      signal?.throwIfAborted();
      const queue = waiting[of];
      if (isClosed || queue.size >= MAX_WAITING) throw unavailable(isClosed ? "has been closed" : "is busy");
      const job: Job = { text, ...Promise.withResolvers<Int8Array>() };
      queue.add(job);
      void work();
      if (signal === undefined) return job.promise;
      try {
        return await untilAborted(signal, job.promise);
      } finally {
        queue.delete(job);
      }
    },

    close() {
      isClosed = true;
      for (const job of [...waiting.question, ...waiting.memory]) job.reject(unavailable("has been closed"));
      waiting.question.clear();
      waiting.memory.clear();
    },
  };
}

const unavailable = (why: string) => new PortcullisError("internal", `The sentence model ${why}.`);
