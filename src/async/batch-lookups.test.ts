import { expect, test } from "vitest";
import { batchLookups } from "./batches.ts";

/** Look-ups that wait for the test to answer each batch. */
function controlled(max = 10) {
  const batches: {
    keys: readonly string[];
    answer(found: Record<string, number>): void;
    fail(error: unknown): void;
  }[] = [];
  const look = batchLookups<string, number>(max, (keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, number>>();
    batches.push({ keys, answer: (found) => resolve(new Map(Object.entries(found))), fail: reject });
    return promise;
  });
  return { look, batches, batch: (count: number) => expect.poll(() => batches.length).toBe(count) };
}

test("look-ups of one turn share one statement, and equal keys are asked for once", async () => {
  const { look, batches, batch } = controlled();
  const all = [look("a"), look("b"), look("a")];
  await batch(1);
  expect(batches[0]?.keys).toEqual(["a", "b"]);
  batches[0]?.answer({ a: 1 });
  expect(await Promise.all(all)).toEqual([1, undefined, 1]);
});

test("a look-up that arrives during a statement is answered by the next one", async () => {
  const { look, batches, batch } = controlled();
  const first = look("a");
  await batch(1);
  const second = look("a");
  batches[0]?.answer({ a: 1 });
  expect(await first).toBe(1);
  await batch(2);
  batches[1]?.answer({ a: 2 });
  expect(await second).toBe(2);
});

test("a failure rejects its batch alone", async () => {
  const { look, batches, batch } = controlled(1);
  const [first, second] = [look("a"), look("b")];
  first.catch(() => undefined);
  await batch(1);
  batches[0]?.fail(new Error("lost"));
  await expect(first).rejects.toThrow("lost");
  await batch(2);
  batches[1]?.answer({ b: 2 });
  expect(await second).toBe(2);
});
