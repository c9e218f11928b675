import { expect, onTestFinished, test } from "vitest";
import { mapInOrder } from "./map-in-order.ts";

test("gives results in the order of the items, with a bounded number under way, and reads no item ahead of its reader", async () => {
  let [read, now, most] = [0, 0, 0];
  async function* items() {
    for (; read < 50; ) yield read++;
  }
  const results = mapInOrder(items(), 4, async (n) => {
    most = Math.max(most, ++now);
    // Later items end first.
    for (let turns = n % 4; turns < 4; turns++) await new Promise((resolve) => setImmediate(resolve));
    now -= 1;
    return n;
  });
  expect((await results.next()).value).toBe(0);
  expect(read).toBeLessThanOrEqual(5);
  const rest: number[] = [];
  for await (const n of results) rest.push(n);
  expect(rest).toEqual(Array.from({ length: 49 }, (_, n) => n + 1));
  expect(most).toBe(4);
});

test("rejects with the first failure in the order of the items, and no later one goes unhandled", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  const results = mapInOrder([0, 1, 2, 3], 3, async (n) => {
    if (n > 0) throw new Error(`item ${n}`);
    return n;
  });
  expect((await results.next()).value).toBe(0);
  await expect(results.next()).rejects.toThrow("item 1");
  // Node reports one after the microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});
