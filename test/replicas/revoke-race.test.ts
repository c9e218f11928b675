// Several replicas on one PostgreSQL, over real HTTP. `npm run torture` does the same with ten thousand requests.
import { expect, onTestFinished, test } from "vitest";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { race } from "#test/torture/revoke-race.ts";

const REQUESTS = 600;

async function database(): Promise<string> {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  return url;
}

test("no replica uses a namespace after its revoke was acknowledged", { timeout: 180_000 }, async () => {
  const raced = await race({ database: await database(), replicas: 3, requests: REQUESTS });
  expect(raced.leaks).toEqual([]);
  expect(raced.answered).toBeGreaterThan(REQUESTS / 2);
  expect(raced.changes).toBeGreaterThan(20);
});

test.for(["send", "release"] as const)(
  "without the fence before %s a leak is found, so the race can find one",
  { timeout: 120_000 },
  async (without) => {
    const { leaks } = await race({ database: await database(), replicas: 3, requests: 100_000, seconds: 60, without });
    expect(leaks.map(({ what }) => what)).toContain(without === "send" ? "prompt" : "answer");
  },
);
