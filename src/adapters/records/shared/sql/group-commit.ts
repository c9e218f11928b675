// Group commit: a durable commit waits for the disk. The writes that arrive during one share the next.
import { type BatchOptions, createBatches, type Waiting } from "#async/batches.ts";
import type { Commit } from "./database.ts";

interface GroupCommitOptions<T> extends BatchOptions<T> {
  readonly onCommit?: OnCommit | undefined;
  readonly isUndone: (error: unknown) => boolean;
}

/** The function that it answers with answers when its item is on disk. One that cannot be recorded fails alone. */
export function groupCommit<T, R = void>(
  { onCommit, isUndone, ...options }: GroupCommitOptions<T>,
  commit: Commit<T, R>,
) {
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

  return createBatches(options, settle);
}

/** Is told of each group commit that is on disk: how many writes shared it, and how long it took. */
export type OnCommit = (writes: number, seconds: number) => void;
