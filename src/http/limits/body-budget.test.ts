import { expect, test } from "vitest";
import { createBodyBudget } from "./body-budget.ts";

const KB = 1024;
const requestOf = (length?: number) =>
  new Request("http://localhost", { headers: length === undefined ? {} : { "content-length": String(length) } });

test("A caller, and all together, hold only so many bytes of long bodies, until they are answered", () => {
  const budget = createBodyBudget({ ofCaller: 300 * KB, ofAll: 500 * KB });
  const take = (caller: string, length?: number) => budget.take(caller, requestOf(length), 200 * KB);
  const first = take("a", 150 * KB);
  take("a", 150 * KB);
  expect(() => take("a", 65 * KB)).toThrow(expect.objectContaining({ code: "too-many-requests" }));
  // One that does not say how long it is counts as the longest.
  take("b");
  expect(budget.bytes()).toBe(500 * KB);
  expect(() => take("c", 65 * KB)).toThrow(expect.objectContaining({ code: "overloaded" }));
  first();
  take("a", 65 * KB);
  expect(budget.bytes()).toBe(415 * KB);
});

test("Short bodies need no room, and one that says too much takes no more than it may have", () => {
  const budget = createBodyBudget({ ofCaller: 0, ofAll: 0 });
  for (const length of [0, 64 * KB]) budget.take("a", requestOf(length), 200 * KB)();
  expect(budget.bytes()).toBe(0);
  const wide = createBodyBudget();
  wide.take("a", requestOf(1e12), 200 * KB);
  expect(wide.bytes()).toBe(200 * KB);
});
