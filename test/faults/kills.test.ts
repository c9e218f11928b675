// Crash recovery: the service is killed under load, beside a journal of what it acknowledged. `npm run torture` kills it
// 500 times.
import { expect, test } from "vitest";
import { seed } from "#test/support/runs.ts";
import { killRepeatedly } from "#test/torture/kills/kill-repeatedly.ts";

test.for([
  { database: "sqlite", count: 3 },
  { database: "postgres", count: 3 },
] as const)(
  `$count kills on $database lose nothing that was acknowledged, and store nothing twice (seed ${seed})`,
  { timeout: 600_000 },
  async ({ database, count }) => {
    const { violations, kills, checks } = await killRepeatedly({ database, kills: count, seed, serverEvery: 3 });
    expect(violations).toEqual([]);
    expect(kills).toBe(count);
    expect(checks).toBeGreaterThan(0);
  },
);
