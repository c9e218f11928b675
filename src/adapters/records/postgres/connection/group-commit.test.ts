import { DatabaseError } from "pg";
import { describe, expect, it, vi } from "vitest";
import { groupCommit } from "./group-commit.ts";

function errorOf(code: string): DatabaseError {
  return Object.assign(new DatabaseError("no", 0, "error"), { code });
}

describe("group commit", () => {
  it("takes those that arrive in one turn, and then those that arrived during a commit, up to the bound", async () => {
    const taken: (readonly number[])[] = [];
    const first = Promise.withResolvers<void>();
    const batches = groupCommit<number>(3, async (items) => {
      taken.push(items);
      if (taken.length === 1) await first.promise;
    });
    const early = [1, 2].map(batches.write);
    await vi.waitFor(() => expect(taken).toHaveLength(1));
    const later = [3, 4, 5, 6].map(batches.write);
    first.resolve();
    await Promise.all([...early, ...later]);
    expect(taken).toEqual([[1, 2], [3, 4, 5], [6]]);
    await batches.idle();
  });

  it("finds the one that the server refuses, and records the others in their order", async () => {
    const recorded: number[] = [];
    const refusal = errorOf("23505");
    const batches = groupCommit<number>(100, async (items) => {
      if (items.includes(13)) throw refusal;
      recorded.push(...items);
    });
    const numbers = Array.from({ length: 20 }, (_, i) => i);
    const results = await Promise.allSettled(numbers.map(batches.write));
    expect(results.flatMap(({ status }, i) => (status === "rejected" ? i : []))).toEqual([13]);
    expect(results[13]).toMatchObject({ reason: refusal });
    expect(recorded).toEqual(numbers.filter((n) => n !== 13));
  });

  it("does not try again what may have been recorded", async () => {
    for (const error of [errorOf("57P01"), new Error("Connection terminated unexpectedly")]) {
      const commit = vi.fn(() => Promise.reject(error));
      const batches = groupCommit<number>(100, commit);
      const results = await Promise.allSettled([1, 2, 3].map(batches.write));
      expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
      expect(commit).toHaveBeenCalledOnce();
    }
  });
});
