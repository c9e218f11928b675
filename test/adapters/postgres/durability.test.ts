// The start warns of settings with which an acknowledged revoke may be lost.
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { postgresRecords } from "#adapters/records/postgres/postgres-records.ts";
import type { TestDatabase } from "#test/support/postgres/databases.ts";
import { startPostgres } from "#test/support/postgres/server.ts";
import { waitFor } from "#test/support/wait-for.ts";
import { databaseForTest } from "./fixture.ts";

async function warningsOf({ url }: Pick<TestDatabase, "url">): Promise<string[]> {
  const warnings: string[] = [];
  const records = await postgresRecords({ url, onWarning: (message) => warnings.push(message) });
  await records.close();
  return warnings;
}

const set = ({ run }: TestDatabase, setting: string) =>
  run(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${setting}', current_database()); END $$`);

async function reload({ run }: TestDatabase, change: string): Promise<void> {
  const before = await run("SHOW synchronous_standby_names");
  await run(`ALTER SYSTEM ${change}`);
  await run("SELECT pg_reload_conf()");
  await waitFor(async () => expect(await run("SHOW synchronous_standby_names")).not.toEqual(before));
}

test("the start warns of synchronous_commit, and of standbys of which none is synchronous", async () => {
  const server = await startPostgres({ fsync: true });
  onTestFinished(server.stop);
  const database = await databaseForTest(server.url);
  expect(await warningsOf(database)).toEqual([]);

  for (const level of ["local", "remote_write"]) {
    await set(database, `synchronous_commit = ${level}`);
    expect(await warningsOf(database)).toEqual([expect.stringContaining(`synchronous_commit = ${level}`)]);
  }
  // The service turns it on for its own sessions.
  await set(database, "synchronous_commit = off");
  expect(await warningsOf(database)).toEqual([]);
  await set(database, "synchronous_commit = on");

  // A standby is a connection that asks for the log.
  const standby = new Client({ connectionString: database.url, replication: "database" } as object);
  await standby.connect();
  onTestFinished(() => standby.end());
  expect(await warningsOf(database)).toEqual([expect.stringContaining("Set synchronous_standby_names.")]);
  // Commits now wait for that standby, which never answers. The start makes none.
  await reload(database, "SET synchronous_standby_names = '*'");
  expect(await warningsOf(database)).toEqual([]);
  await reload(database, "RESET synchronous_standby_names");
});

test("the start warns of fsync = off", async () => {
  const server = await startPostgres();
  onTestFinished(server.stop);
  expect(await warningsOf({ url: server.url })).toEqual([expect.stringContaining("fsync = off")]);
});
