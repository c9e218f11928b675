// What was deleted leaves the log of the database soon, and a burst of deletions does not hold up everything else.
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { createConnection } from "#adapters/records/sqlite/connection/connection.ts";
import { directoryForTest } from "#test/support/service.ts";

const CHECKPOINT_MS = 2;

test("the log is emptied soon after a deletion, and then rests for a while, however many call", async () => {
  const file = join(await directoryForTest(), "records.db");
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE texts (text TEXT)");
  const times: number[] = [];
  const prepare = database.prepare.bind(database);
  vi.spyOn(database, "prepare").mockImplementation((statement) => {
    if (statement.includes("wal_checkpoint")) {
      times.push(performance.now());
      while (performance.now() < (times.at(-1) ?? 0) + CHECKPOINT_MS);
    }
    return prepare(statement);
  });
  const { truncateLog, write } = createConnection(database);
  await write(() => database.exec("INSERT INTO texts VALUES ('secret')"));
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
  for (let i = 0; i < 100; i++) truncateLog();
  await expect.poll(() => statSync(`${file}-wal`).size).toBe(0);
  await expect
    .poll(
      () => {
        truncateLog();
        return times.length;
      },
      { timeout: 20_000 },
    )
    .toBe(2);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(100 * CHECKPOINT_MS);
});
