// The four promises while things happen at once. `npm run torture` does the same a hundred thousand times.
import { expect, test } from "vitest";
import { interleave } from "#test/torture/interleavings.ts";

const RUNS = 4_000;
const seed = Math.trunc(Math.random() * 2 ** 31);

test(`no namespace is used after its revoke was acknowledged, in ${RUNS} interleavings (seed ${seed})`, async () => {
  const { runs, uses, leaks } = await interleave({ runs: RUNS, seed });
  expect(leaks).toEqual([]);
  expect(runs).toBe(RUNS);
  expect(uses).toBeGreaterThan(RUNS);
}, 240_000);

test.for(["send", "release"] as const)(
  "without the fence before %s a leak is found, so the search can find one",
  { timeout: 240_000 },
  async (without) => {
    const { leaks } = await interleave({ runs: RUNS, seed, without });
    expect(leaks[0]).toMatchObject({ what: without === "send" ? "prompt" : "answer" });
  },
);
