// Model checking of the fence, and of tenants: answers, policy changes and removals of memories in random interleavings.
// `npm run torture` runs a hundred thousand.
import { expect, test } from "vitest";
import { runs, seed } from "#test/support/runs.ts";
import { interleave } from "#test/torture/interleavings.ts";
import { STATEMENTS_BY_TENANT } from "#test/torture/tenant-left-out.ts";

const RUNS = runs(150, 75);
/** Until a leak is found. */
const RUNS_AT_MOST = 10_000;

test(`no namespace is used after its revoke was acknowledged, no memory after its removal, and none in another tenant, in ${RUNS} interleavings (seed ${seed})`, async () => {
  const { runs, uses, leaks } = await interleave({ runs: RUNS, seed });
  expect(leaks).toEqual([]);
  expect(runs).toBe(RUNS);
  expect(uses).toBeGreaterThan(RUNS);
}, 600_000);

test.for(["send", "release"] as const)(
  "the search finds a leak when the fence before %s is taken out",
  { timeout: 600_000 },
  async (without) => {
    const { leaks } = await interleave({ runs: RUNS_AT_MOST, seed, without });
    // Answers and pages of memories pass the fence before release, and either may be the first to leak.
    const leaving = without === "send" ? ["prompt"] : ["answer", "page"];
    expect(leaving).toContain(leaks[0]?.what);
  },
);

test.for(["memory", "expiry"] as const)(
  "the search finds a leak when the fence does not ask about the %s of what is used",
  { timeout: 600_000 },
  async (without) => {
    const { leaks } = await interleave({ runs: RUNS_AT_MOST, seed, without });
    expect(leaks[0]).toMatchObject({ of: "memory" });
  },
);

test.for([...STATEMENTS_BY_TENANT])(
  "the search finds that the tenant is left out of the statement that %s",
  { timeout: 600_000 },
  async ([, untenanted]) => {
    const { leaks } = await interleave({ runs: RUNS_AT_MOST, seed, untenanted });
    expect(leaks).not.toEqual([]);
  },
);
