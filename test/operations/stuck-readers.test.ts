// Clients that open streams and read nothing. What waits for them is bounded, and others are served.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { runs } from "#test/support/runs.ts";
import { createReadersWorld, type ReadersWorld } from "#test/torture/readers/readers-world.ts";
import { stickReaders } from "#test/torture/readers/stuck-readers.ts";
import { trialOfReaders } from "#test/torture/readers/trial-of-readers.ts";

const READERS = runs(4_150, 1_200);

let world: ReadersWorld;
beforeAll(async () => {
  world = await createReadersWorld();
});
afterAll(() => world.remove());

test.runIf(process.platform === "linux")(
  `${READERS} readers of one key who read nothing cost less than 300 MB, and others are served`,
  async () => {
    const [reading] = await trialOfReaders(world, { readers: READERS, keys: 1, routes: ["listDecisions"] });
    expect(reading?.violations).toEqual([]);
    expect(reading?.statuses.get(200)).toBeGreaterThan(0);
    expect(reading?.statuses.get(429)).toBeGreaterThan(0);
  },
);

test("a service with stuck readers ends when it is told to, and leaves its database closed", async () => {
  const service = await world.start({ hasKeys: true });
  onTestFinished(async () => void (await service.kill("SIGKILL")));
  const headers = { authorization: `Bearer ${world.adminKey}` };
  const paths = ["/api/decisions?limit=200", "/api/export", "/api/memories", "/api/events", "/openapi.json"];
  const requests = paths.flatMap((path) => Array.from({ length: 4 }, () => ({ path, headers })));
  const stuck = await stickReaders(service.url, requests);
  onTestFinished(stuck.hangUp);
  expect(stuck.statuses.get(200)).toBe(requests.length);
  expect(await service.kill("SIGINT")).toMatchObject({ code: 0 });
});
