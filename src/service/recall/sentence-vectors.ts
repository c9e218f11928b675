// Vectors of a sentence model for questions and memories. Memories are embedded in the background, one at a time. A
// question waits for its vector for a short time only: recall goes on without it.
import { setTimeout as delay } from "node:timers/promises";
import { withDeadline } from "#async/with-deadline.ts";
import { createSentenceVectorStore } from "#core/recall/meaning/sentence-vector-store.ts";
import type { MemoryRecords, SentenceEmbedder } from "#ports.ts";

/** How long a question waits for its vector. */
const QUESTION_DEADLINE_MS = 150;
/** The pause after a failure. It doubles with each failure in a row. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export interface SentenceVectors {
  /** The vector of a question; undefined when the model did not give it in time. */
  questionVector(query: string): Promise<Int8Array | undefined>;
  /** The vector of the memory captured at this sequence; undefined while the model has not given it. */
  vectorOf(sequence: number): Int8Array | undefined;
  /** To be told of every capture and every forgotten memory, in the order of the change feed. */
  captured(namespace: string, sequence: number): void;
  forgotten(namespace: string, sequence: number): void;
  /** How many memories have a vector, how many wait for one or were given up, how many questions had none in time. */
  counts(): { readonly embedded: number; readonly waiting: number; readonly failed: number; readonly late: number };
  /** Ends the work in the background, and the embedder. */
  close(): Promise<void>;
}

interface Parts {
  readonly embedder: SentenceEmbedder;
  readonly memories: Pick<MemoryRecords, "at">;
  readonly onFailure?: (error: unknown) => void;
  readonly deadlineMs?: number;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export function createSentenceVectors({
  embedder,
  memories,
  onFailure = () => undefined,
  deadlineMs = QUESTION_DEADLINE_MS,
  pause = (ms, signal) => delay(ms, undefined, { signal, ref: false }),
}: Parts): SentenceVectors {
  const store = createSentenceVectorStore();
  const closing = new AbortController();
  const { signal } = closing;
  /** Running, or about to run. */
  let isRunning = false;
  let failuresInARow = 0;
  let failed = 0;
  let late = 0;

  async function run(): Promise<void> {
    for (let sequence = store.take(); sequence !== undefined && !signal.aborted; sequence = store.take()) {
      // A second try, because the first may have failed with the model's thread and not because of the text.
      const isDone = (await tryToEmbed(sequence)) || (await tryToEmbed(sequence));
      if (!isDone && !signal.aborted) failed += 1;
    }
    isRunning = false;
  }

  async function tryToEmbed(sequence: number): Promise<boolean> {
    if (signal.aborted) return false;
    try {
      const memory = (await memories.at([sequence])).get(sequence);
      if (memory !== undefined) store.put(sequence, await embedder.embed(memory.content, { signal }));
      failuresInARow = 0;
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      onFailure(error);
      const ms = Math.min(FIRST_PAUSE_MS * 2 ** failuresInARow, LONGEST_PAUSE_MS);
      failuresInARow += 1;
      await pause(ms, signal).catch(() => undefined);
      return false;
    }
  }

  return {
    async questionVector(query) {
      try {
        return await withDeadline(deadlineMs, ({ signal }) => embedder.embed(query, { of: "question", signal }));
      } catch {
        late += 1;
        return undefined;
      }
    },
    vectorOf: store.vectorOf,
    captured(namespace, sequence) {
      store.captured(namespace, sequence);
      if (isRunning) return;
      isRunning = true;
      // After the change feed's batch, so that the newest of it comes first.
      setImmediate(() => void run());
    },
    forgotten: store.forgotten,
    counts: () => ({ ...store.counts(), failed, late }),
    async close() {
      closing.abort();
      await embedder.close();
    },
  };
}
