import { expect, test } from "vitest";
import type { Benchmark } from "./benchmark.ts";
import { summaryOf, textOf } from "./results.ts";
import { type Result, runBenchmarks } from "./run-benchmarks.ts";

const failing: Benchmark = { title: "fails", run: () => Promise.reject(new Error("A wrong answer.")) };
const good: Benchmark = {
  title: "works",
  run: async () => ({ figures: [{ id: "x", what: "x", rounds: [3], aim: { atLeast: 2 } }], notes: [] }),
};

test("a benchmark that fails is reported, and those after it run", async () => {
  const shown: Result[] = [];
  let stopped = 0;
  const results = await runBenchmarks(Object.entries({ failing, good }), {
    onResult: (result) => void shown.push(result),
    onFailure: () => void stopped++,
  });
  expect(results.map(({ name, error }) => [name, error])).toEqual([
    ["failing", "A wrong answer."],
    ["good", undefined],
  ]);
  expect([shown, stopped]).toEqual([results, 1]);
  expect(shown.map(textOf).join()).toContain("FAILED: A wrong answer.");
  expect(summaryOf(results)).toBe("1 of 1 aims met.\nFailed: failing.\n");
});
