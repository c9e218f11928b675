import fc from "fast-check";
import { expect, test } from "vitest";
import { backoffMs, jitteredBackoffMs } from "./backoff.ts";

test("doubles with every failure, up to the longest pause", () => {
  const pauses = { firstMs: 250, longestMs: 1_500 };
  expect([0, 1, 2, 3, 99].map((failures) => backoffMs(failures, pauses))).toEqual([250, 500, 1_000, 1_500, 1_500]);
  expect(backoffMs(10, { firstMs: 1 })).toBe(1_024);
});

test("the jitter takes away up to a half", () => {
  const fraction = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.nat(20), fc.integer({ min: 1, max: 10_000 }), fraction, (failures, firstMs, random) => {
      const whole = backoffMs(failures, { firstMs });
      const pause = jitteredBackoffMs(failures, { firstMs }, () => random);
      expect(pause).toBeGreaterThanOrEqual(whole / 2);
      expect(pause).toBeLessThanOrEqual(whole);
    }),
  );
});
