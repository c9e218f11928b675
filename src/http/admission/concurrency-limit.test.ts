import fc from "fast-check";
import { expect, test } from "vitest";
import { createConcurrencyLimit, type Observation } from "./concurrency-limit.ts";

const OPTIONS = {
  calm: { least: 8, targetMs: 5, turnMs: 50, sharedTurnMs: 3 },
  overloaded: { least: 2, targetMs: 1, turnMs: 1, sharedTurnMs: 0 },
  initial: 64,
  most: 100,
  increase: 4,
  decrease: 0.5,
};
const REACHED: Observation = { delayMs: 0, utilization: 0.5, wasReached: true, isOverloaded: false };
const FREE: Observation = { ...REACHED, wasReached: false };
const OVERLOADED: Observation = { ...REACHED, isOverloaded: true };

const times = (count: number, act: () => void) => Array.from({ length: count }, act);

test("the limit doubles until it shrinks for the first time, and then grows by a fixed step", () => {
  const limit = createConcurrencyLimit({ ...OPTIONS, most: 1_000 });
  limit.observe({ ...REACHED, delayMs: 1 });
  limit.observe({ ...REACHED, delayMs: 5 });
  expect(limit.value).toBe(256);
  limit.observe({ ...REACHED, delayMs: 6 });
  limit.observe(REACHED);
  limit.observe(REACHED);
  expect(limit.value).toBe(136);
});

test("the limit does not grow beyond where it began while nobody is held back", () => {
  const limit = createConcurrencyLimit(OPTIONS);
  limit.observe(FREE);
  expect(limit.value).toBe(64);
});

test("a limit that has shrunk comes back to where it began while nobody is held back", () => {
  const limit = createConcurrencyLimit(OPTIONS);
  limit.observe({ ...FREE, delayMs: 100 });
  expect(limit.isRested()).toBe(false);
  times(100, () => limit.observe(FREE));
  expect(limit.isRested()).toBe(true);
  expect(limit.value).toBeLessThan(64 + OPTIONS.increase);
});

test("the limit shrinks by a share of itself while the loop is slow, held back or not", () => {
  const limit = createConcurrencyLimit(OPTIONS);
  limit.observe({ ...FREE, delayMs: 6 });
  limit.observe({ ...REACHED, delayMs: 50 });
  expect(limit.value).toBe(16);
});

test("the limit shrinks, too, while the loop is never idle, however short its turns are", () => {
  const limit = createConcurrencyLimit(OPTIONS);
  times(20, () => limit.observe({ ...REACHED, delayMs: 1, utilization: 1 }));
  expect(limit.value).toBe(OPTIONS.calm.least);
  expect(limit.isQuick({ delayMs: 1, utilization: 1 })).toBe(false);
});

test("an overload has a lower target and a lower least, and when it is over the limit is at the calm least at once", () => {
  const limit = createConcurrencyLimit(OPTIONS);
  limit.observe({ ...OVERLOADED, delayMs: 3 });
  expect(limit.value).toBe(32);
  times(20, () => limit.observe({ ...OVERLOADED, delayMs: 3 }));
  expect(limit.value).toBe(OPTIONS.overloaded.least);
  limit.observe({ ...FREE, delayMs: 6 });
  expect(limit.value).toBe(OPTIONS.calm.least);
});

test("the limit stays between its least and its most, whatever is observed", () => {
  const observation = fc.record({
    delayMs: fc.double({ min: 0, max: 1e4, noNaN: true }),
    utilization: fc.double({ min: 0, max: 1, noNaN: true }),
    wasReached: fc.boolean(),
    isOverloaded: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(observation), (observations) => {
      const limit = createConcurrencyLimit(OPTIONS);
      for (const each of observations) {
        limit.observe(each);
        const { least } = each.isOverloaded ? OPTIONS.overloaded : OPTIONS.calm;
        expect(limit.value).toBeGreaterThanOrEqual(least);
        expect(limit.value).toBeLessThanOrEqual(OPTIONS.most);
      }
    }),
  );
});
