// Several replicas on one PostgreSQL, over real HTTP, with revokes and removals of memories between the requests.
// `npm run torture` does the same with ten thousand requests.
import { expect, test } from "vitest";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { casesOf, runs } from "#test/support/runs.ts";
import { endSessionsOfActions } from "#test/torture/lose-sessions.ts";
import { LONGEST_ACTION_MS, revokeRace } from "#test/torture/revoke-race.ts";

const REQUESTS = runs(200, 80);
const REQUESTS_OF_LOSING = runs(300, 120);
const CHANGES = runs(7, 4);
const REMOVALS = runs(7, 4);
const LOSSES = runs(4, 2);
const LOSING = { lose: endSessionsOfActions, stretchMs: LONGEST_ACTION_MS, callers: 40 };

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
  const wanted = { requests: REQUESTS_OF_LOSING, changes: CHANGES, losses: LOSSES };
  const race = await revokeRace({ database: url, replicas: 2, ...wanted, ...LOSING });
  expect(race.leaks).toEqual([]);
  expect(race.losses).toBeGreaterThanOrEqual(LOSSES);
  expect(race.answered).toBeGreaterThan(REQUESTS_OF_LOSING / 10);
});

/** In `npm test`, the search over interleavings finds the others sooner, and `npm run torture -- checker` finds all. */
const CHECKS = casesOf(
  [
    { without: "send", finds: { what: "prompt" } },
    { without: "release", finds: { what: "answer" } },
    { without: "send", finds: { what: "prompt" }, gateway: true },
    { without: "release", finds: { what: "answer" }, gateway: true },
    { without: "memory", finds: { of: "memory" }, replicas: 2 },
    { without: "lost", finds: {}, replicas: 2, ...LOSING },
  ] as const,
  [{ without: "release", finds: { what: "answer" }, gateway: true }],
);

test.for(CHECKS)(
  "the race finds a leak when the fence is without $without, and with the gateway alone: $gateway",
  { timeout: 600_000 },
  async ({ finds, ...options }) => {
    const { url } = await databaseForTest();
    const { leaks } = await revokeRace({ database: url, replicas: 3, requests: 1_000_000, seconds: 300, ...options });
    expect(leaks).toContainEqual(expect.objectContaining(finds));
  },
);
