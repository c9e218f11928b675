// `npm run torture -- log` in short.
import { join } from "node:path";
import { expect, test } from "vitest";
import { databaseForTest } from "#test/adapters/postgres/fixture.ts";
import { directoryForTest } from "#test/support/service.ts";
import { raceLog } from "#test/torture/log/race-log.ts";

const SEED = 7;

test("kills, races of three replicas and lost sessions leave one tree without gaps, with all that was acknowledged", async () => {
  const { url: database } = await databaseForTest();
  const { violations, answers, roots } = await raceLog({ database, replicas: 3, kills: 4, seed: SEED });
  expect(violations).toEqual([]);
  expect(answers.size).toBeGreaterThan(0);
  expect(roots.size).toBeGreaterThan(0);
});

test("kills and restores of a file do so, too", async () => {
  const database = join(await directoryForTest(), "records.db");
  const { violations, answers } = await raceLog({ database, replicas: 1, kills: 5, seed: SEED });
  expect(violations).toEqual([]);
  expect(answers.size).toBeGreaterThan(0);
});

test("answers that are acknowledged before they are recorded are found", async () => {
  const database = join(await directoryForTest(), "records.db");
  const swapped = "acknowledged before recorded";
  expect((await raceLog({ database, replicas: 1, kills: 3, seed: SEED, swapped })).violations).not.toEqual([]);
});
