// Group commit: a durable commit waits for the disk, and memories also wait for their counter. The writes that arrive
// during a commit share the next one.
import type { OnCommit } from "#adapters/records/shared/database/commit-observer.ts";
import { isUndone } from "./failures.ts";

export interface GroupCommit<T, R> {
  /** Answers with its result when the item is on disk. An item that cannot be recorded fails alone. */
  write(item: T): Promise<R>;
  /** Answers when no write waits any more. */
  idle(): Promise<void>;
}

interface Waiting<T, R> {
  readonly item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

interface GroupCommitOptions {
  /** The most items of one commit. */
  readonly max: number;
  readonly onCommit?: OnCommit | undefined;
}

/** `commit` records all of at most `max` items, or none. It answers with the function that gives each item's result. */
export function groupCommit<T, R = void>(
  { max, onCommit }: GroupCommitOptions,
  commit: (items: readonly T[]) => Promise<(item: T) => R>,
): GroupCommit<T, R> {
  let waiting: Waiting<T, R>[] = [];
  let running: Promise<void> | undefined;

  async function settle(batch: readonly Waiting<T, R>[]): Promise<void> {
    const began = performance.now();
    try {
      const resultOf = await commit(batch.map(({ item }) => item));
      onCommit?.(batch.length, (performance.now() - began) / 1_000);
      for (const { item, resolve } of batch) resolve(resultOf(item));
    } catch (error) {
      if (batch.length === 1 || !isUndone(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      // The server refused one of them. Bisection finds it in few commits and keeps the order.
      const half = batch.length >> 1;
      await settle(batch.slice(0, half));
      await settle(batch.slice(half));
    }
  }

  async function run(): Promise<void> {
    // Writes that arrive in this turn of the event loop join the first batch.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, max);
      waiting = waiting.slice(max);
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
