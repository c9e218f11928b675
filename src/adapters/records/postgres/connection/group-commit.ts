// Group commit. A durable commit waits for the disk, and memories wait for their counter as well: the writes that arrive
// while one is under way share the next.
import { isUndone } from "./failures.ts";

export interface Batches<T> {
  /** Answers when the item is on disk. An item that cannot be recorded fails alone. */
  write(item: T): Promise<void>;
  /** Answers when nothing waits any more. */
  idle(): Promise<void>;
}

interface Waiting<T> {
  readonly item: T;
  resolve(): void;
  reject(error: unknown): void;
}

/** `commit` records all items or none. `most` bounds how many it is given at once. */
export function inBatches<T>(most: number, commit: (items: readonly T[]) => Promise<unknown>): Batches<T> {
  let waiting: Waiting<T>[] = [];
  let running: Promise<void> | undefined;

  async function settle(batch: readonly Waiting<T>[]): Promise<void> {
    try {
      await commit(batch.map(({ item }) => item));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (batch.length === 1 || !isUndone(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      // One of them is at fault, and is found by halves, in few commits and without changing the order.
      const half = batch.length >> 1;
      await settle(batch.slice(0, half));
      await settle(batch.slice(half));
    }
  }

  async function run(): Promise<void> {
    // Those that arrive in this turn of the event loop come along.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await settle(batch);
    }
    running = undefined;
  }

  return {
    write(item) {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        running ??= run();
      });
    },
    idle: async () => running,
  };
}
