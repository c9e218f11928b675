// Every prompt and every piece of an answer that left has a receipt on record, whatever went wrong. `npm run torture` does
// this for 100 rounds on each database.
import { expect, test } from "vitest";
import { casesOf, seed } from "#test/support/runs.ts";
import { watchDepartures } from "#test/torture/departures/watch-departures.ts";

const OPTIONS = { timeout: 600_000 };

test.for(["sqlite", "postgres"] as const)(
  `what leaves on %s has a record, through faults (seed ${seed})`,
  OPTIONS,
  async (database) => {
    const { violations, prompts } = await watchDepartures({ database, rounds: 2, seed });
    expect(violations).toEqual([]);
    expect(prompts).toBeGreaterThan(0);
  },
);

// `npm run torture -- departures` does so on each database.
test.for(casesOf(["sqlite"] as const, []))(
  `the check finds it when receipts are not begun (seed ${seed})`,
  OPTIONS,
  async (database) => {
    const { violations } = await watchDepartures({ database, rounds: 20, seed, without: "begun" });
    expect(violations.join()).toContain("that has no receipt");
  },
);
