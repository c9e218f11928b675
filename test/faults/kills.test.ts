// The service is killed while it works, with a journal of what it acknowledged. `npm run torture` does so 500 times.
import { expect, test } from "vitest";
import { kills } from "#test/torture/kills/kill-repeatedly.ts";

const seed = Math.trunc(Math.random() * 2 ** 31);

test.for([
  { database: "sqlite", count: 6 },
  { database: "postgres", count: 4 },
] as const)(
  `$count kills on $database lose nothing that was acknowledged, and double nothing (seed ${seed})`,
  { timeout: 180_000 },
  async ({ database, count }) => {
    const killed = await kills({ database, kills: count, seed, serverEvery: 3 });
    expect(killed.violations).toEqual([]);
    expect(killed.kills).toBe(count);
    expect(killed.checks).toBeGreaterThan(0);
  },
);
