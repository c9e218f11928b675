import { DatabaseError } from "pg";
import { describe, expect, test, vi } from "vitest";
import { isUndone } from "#adapters/records/postgres/connection/failures.ts";
import { groupCommit } from "./group-commit.ts";

function errorOf(code: string): DatabaseError {
  return Object.assign(new DatabaseError("no", 0, "error"), { code });
}

describe("group commit", () => {
  test("commits the writes of one turn together, then those that arrived meanwhile, in batches up to the limit", async () => {
    const batches: (readonly number[])[] = [];
    const first = Promise.withResolvers<void>();
    const write = groupCommit<number, number>({ max: 3, isUndone }, async (items) => {
      batches.push(items);
      if (batches.length === 1) await first.promise;
      return (item) => 10 * item;
    });
    const early = [1, 2].map(write);
    await expect.poll(() => batches.length).toBe(1);
    const later = [3, 4, 5, 6].map(write);
    first.resolve();
    expect(await Promise.all([...early, ...later])).toEqual([10, 20, 30, 40, 50, 60]);
    expect(batches).toEqual([[1, 2], [3, 4, 5], [6]]);
  });

  test("rejects only the item that the server refuses, and records the others in their order", async () => {
    const recorded: number[] = [];
    const refusal = errorOf("23505");
    const write = groupCommit<number>({ max: 100, isUndone }, async (items) => {
      if (items.includes(13)) throw refusal;
      recorded.push(...items);
      return () => undefined;
    });
    const numbers = Array.from({ length: 20 }, (_, i) => i);
    const results = await Promise.allSettled(numbers.map(write));
    expect(results.flatMap(({ status }, i) => (status === "rejected" ? i : []))).toEqual([13]);
    expect(results[13]).toMatchObject({ reason: refusal });
    expect(recorded).toEqual(numbers.filter((n) => n !== 13));
  });

  test("does not retry a commit that may have happened", async () => {
    for (const error of [errorOf("57P01"), new Error("Connection terminated unexpectedly")]) {
      const commit = vi.fn(() => Promise.reject(error));
      const write = groupCommit<number>({ max: 100, isUndone }, commit);
      const results = await Promise.allSettled([1, 2, 3].map(write));
      expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
      expect(commit).toHaveBeenCalledOnce();
    }
  });
});
