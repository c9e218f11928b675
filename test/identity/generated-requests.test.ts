// Requests that are generated from the API's description, as callers of every kind. `npm run torture` sends more of them.
import { describe, test } from "vitest";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { seed } from "#test/support/runs.ts";
import { attackWithRequests } from "#test/torture/requests/attack-with-requests.ts";
import { createWorld } from "./world.ts";

const REQUESTS = 200;

describe.for(["sqlite", "postgres"] as const)("On %s,", (kind) => {
  test(`${REQUESTS} generated requests get no text that their caller may not read, and no failure (seed ${seed})`, async ({
    onTestFinished,
  }) => {
    const database = kind === "postgres" ? await freshDatabase() : undefined;
    const world = await createWorld({ ...(database && { database: database.url }) });
    onTestFinished(async () => {
      await world.service.stop();
      await database?.drop();
    });
    await attackWithRequests(world, { requests: REQUESTS, seed });
  });
});
