import fc from "fast-check";
import { expect, test } from "vitest";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

const OPTIONS = { initial: 64, least: 8, most: 100, targetMs: 5, increase: 4, decrease: 0.5 };
const REACHED = { wasReached: true };

test("the limit grows by a fixed step while requests are held back and the loop is quick", () => {
  const limit = createConcurrencyLimit(OPTIONS);
  limit.observe(1, REACHED);
  limit.observe(5, REACHED);
  expect(limit.value).toBe(72);
});

test("the limit does not grow while nobody is held back", () => {
  const limit = createConcurrencyLimit(OPTIONS);
  limit.observe(0, { wasReached: false });
  expect(limit.value).toBe(64);
});

test("the limit shrinks by a share of itself while the loop is slow, held back or not", () => {
  const limit = createConcurrencyLimit(OPTIONS);
  limit.observe(6, { wasReached: false });
  limit.observe(50, REACHED);
  expect(limit.value).toBe(16);
});

test("the limit stays between its least and its most, whatever is observed", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.double({ min: 0, max: 1e4, noNaN: true }), fc.boolean())), (observations) => {
      const limit = createConcurrencyLimit(OPTIONS);
      for (const [delayMs, wasReached] of observations) {
        limit.observe(delayMs, { wasReached });
        expect(limit.value).toBeGreaterThanOrEqual(OPTIONS.least);
        expect(limit.value).toBeLessThanOrEqual(OPTIONS.most);
      }
    }),
  );
});

test("the limit comes back from its least within a hundred quick observations", () => {
  const limit = createConcurrencyLimit(OPTIONS);
  for (let i = 0; i < 100; i++) limit.observe(100, REACHED);
  expect(limit.value).toBe(OPTIONS.least);
  for (let i = 0; i < 100; i++) limit.observe(0, REACHED);
  expect(limit.value).toBe(OPTIONS.most);
});
