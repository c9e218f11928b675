// Several replicas on one PostgreSQL, over real HTTP, with revokes and removals of memories between the requests. `npm run torture` does the same
// with ten thousand requests.
import { expect, test } from "vitest";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { endSessionsOfActions } from "#test/torture/lose-sessions.ts";
import { LONGEST_ACTION_MS, revokeRace } from "#test/torture/revoke-race.ts";

const REQUESTS = 200;
const CHANGES = 7;
const REMOVALS = 7;

test("no replica uses a namespace after its revoke was acknowledged, or a memory after its removal", {
  timeout: 600_000,
}, async () => {
  const { url } = await databaseForTest();
  const race = await revokeRace({
    database: url,
    replicas: 3,
    requests: REQUESTS,
    changes: CHANGES,
    removals: REMOVALS,
    callers: 30,
  });
  expect(race.leaks).toEqual([]);
  expect(race.answered).toBeGreaterThan(REQUESTS / 2);
  expect(race.changes).toBeGreaterThanOrEqual(CHANGES);
  expect(race.removals).toBeGreaterThanOrEqual(REMOVALS);
});

test("no replica does so either when database sessions are lost in the middle of an answer", {
  timeout: 600_000,
}, async () => {
  const { url } = await databaseForTest();
  const losing = { lose: endSessionsOfActions, stretchMs: LONGEST_ACTION_MS };
  const race = await revokeRace({
    database: url,
    replicas: 2,
    requests: 300,
    changes: CHANGES,
    callers: 40,
    ...losing,
  });
  expect(race.leaks).toEqual([]);
  expect(race.losses).toBeGreaterThan(3);
  expect(race.answered).toBeGreaterThan(30);
});

test("the race finds a leak when a revoke does not wait for actions that lost their session", {
  timeout: 600_000,
}, async () => {
  const { url } = await databaseForTest();
  const losing = { lose: endSessionsOfActions, stretchMs: LONGEST_ACTION_MS, without: "lost" } as const;
  const options = { requests: 1_000_000, seconds: 300, callers: 40, ...losing };
  const { leaks } = await revokeRace({ database: url, replicas: 2, ...options });
  expect(leaks.length).toBeGreaterThan(0);
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

test("the race finds a leak when the fence does not ask about memories", { timeout: 600_000 }, async () => {
  const { url } = await databaseForTest();
  const options = { replicas: 2, requests: 1_000_000, seconds: 300, without: "memory" } as const;
  const { leaks } = await revokeRace({ database: url, ...options });
  expect(leaks.map(({ of }) => of)).toContain("memory");
});
