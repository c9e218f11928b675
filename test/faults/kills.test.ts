// Crash recovery: the service is killed under load, beside a journal of what it acknowledged. `npm run torture` kills it
// 500 times.
import { expect, test } from "vitest";
import { runs, seed } from "#test/support/runs.ts";
import { killRepeatedly } from "#test/torture/kills/kill-repeatedly.ts";

const KILLS = runs(3, 2);

test.for([
  { database: "sqlite", count: KILLS },
  { database: "postgres", count: KILLS },
] as const)(
  `$count kills on $database lose nothing that was acknowledged, and store nothing twice (seed ${seed})`,
  { timeout: 600_000 },
  async ({ database, count }) => {
    const { violations, kills, checks } = await killRepeatedly({ database, kills: count, seed, serverEvery: KILLS });
    expect(violations).toEqual([]);
    expect(kills).toBe(count);
    expect(checks).toBeGreaterThan(0);
  },
);
