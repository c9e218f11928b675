import { expect, test } from "vitest";
import { bestThreshold, guessedRight, type Sample } from "./latency-threshold.ts";

const samples = (blocked: readonly number[], absent: readonly number[]): Sample[] => [
  ...blocked.map((ms) => ({ ms, isBlocked: true })),
  ...absent.map((ms) => ({ ms, isBlocked: false })),
];

test("latencies that differ are told apart, whichever kind is slower", () => {
  for (const apart of [samples([5, 6, 7], [1, 2, 3]), samples([1, 2, 3], [5, 6, 7])]) {
    expect(guessedRight(apart, bestThreshold(apart))).toBe(1);
  }
});

test("a threshold that is right by chance on one half is wrong on the other", () => {
  const threshold = bestThreshold(samples([1, 2], [3, 4]));
  expect(guessedRight(samples([3, 4], [1, 2]), threshold)).toBe(0);
});

test("equal latencies are guessed right in half of the cases", () => {
  const equal = samples([1, 1, 1], [1, 1, 1]);
  expect(guessedRight(equal, bestThreshold(equal))).toBe(0.5);
});

test("no other threshold is right more often", () => {
  const mixed = samples([1, 4, 5, 9, 9, 3], [2, 2, 5, 6, 8, 1]);
  const best = guessedRight(mixed, bestThreshold(mixed));
  for (const ms of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) {
    for (const slowIsBlocked of [true, false]) {
      expect(guessedRight(mixed, { ms, slowIsBlocked })).toBeLessThanOrEqual(best);
    }
  }
});
