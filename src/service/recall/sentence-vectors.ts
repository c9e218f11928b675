// Vectors of a sentence model for questions and memories. Memories are embedded in the background, one at a time. A
// question waits for its vector for a short time only: recall goes on without it.
import { setTimeout as delay } from "node:timers/promises";
import { withDeadline } from "#async/with-deadline.ts";
import { backoffMs } from "#core/backoff.ts";
import { createSentenceVectorStore } from "#core/recall/meaning/sentence-vector-store.ts";
import type { MemoryRecords, SentenceEmbedder } from "#ports.ts";

const QUESTION_DEADLINE_MS = 150;
const PAUSES = { firstMs: 1_000, longestMs: 60_000 };

export type SentenceVectors = ReturnType<typeof createSentenceVectors>;

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
}: Parts) {
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
      const ms = backoffMs(failuresInARow, PAUSES);
      failuresInARow += 1;
      await pause(ms, signal).catch(() => undefined);
      return false;
    }
  }

  return {
    /** The vector of a question; undefined if the model did not give it in time. */
    questionVector(query: string): Promise<Int8Array | undefined> {
      const embedding = withDeadline(deadlineMs, ({ signal }) => embedder.embed(query, { of: "question", signal }));
      return embedding.catch(() => {
        late += 1;
        return undefined;
      });
    },
    vectorOf: store.vectorOf,
    /** Is called for every capture, as `forgotten` for every forgotten memory, in the order of the change feed. */
    captured(namespace: string, sequence: number): void {
      store.captured(namespace, sequence);
      if (isRunning) return;
      isRunning = true;
      // After the change feed's batch, so that the newest of it comes first.
      setImmediate(() => void run());
    },
    forgotten: store.forgotten,
    /** How many memories have a vector, wait for one or were given up, and how many questions had none in time. */
    counts: () => ({ ...store.counts(), failed, late }),
    /** Ends the work in the background, and the embedder. */
    async close(): Promise<void> {
      closing.abort();
      await embedder.close();
    },
  };
}
