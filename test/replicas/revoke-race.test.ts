// Several replicas on one PostgreSQL, over real HTTP, with revokes between the requests. `npm run torture` does the same
// with ten thousand requests.
import { expect, test } from "vitest";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { revokeRace } from "#test/torture/revoke-race.ts";

const REQUESTS = 600;
const CHANGES = 21;

test("no replica uses a namespace after its revoke was acknowledged", { timeout: 600_000 }, async () => {
  const { url } = await databaseForTest();
  const race = await revokeRace({ database: url, replicas: 3, requests: REQUESTS, changes: CHANGES });
  expect(race.leaks).toEqual([]);
  expect(race.answered).toBeGreaterThan(REQUESTS / 2);
  expect(race.changes).toBeGreaterThanOrEqual(CHANGES);
});

test.for(["send", "release"] as const)(
  "the race finds a leak when the fence before %s is taken out",
  { timeout: 600_000 },
  async (without) => {
    const { url } = await databaseForTest();
    const { leaks } = await revokeRace({ database: url, replicas: 3, requests: 1_000_000, seconds: 300, without });
    expect(leaks.map(({ what }) => what)).toContain(without === "send" ? "prompt" : "answer");
  },
);
