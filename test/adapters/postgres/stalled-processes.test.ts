// Another process stands still with locks: it is stopped, or its machine is. Its sessions are played by connections of the
// test, with the name that those of a process have.
import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { fenceLock } from "#adapters/records/postgres/connection/advisory-locks.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import type { TestDatabase } from "#test/support/postgres/databases.ts";
import { waitFor } from "#test/support/wait-for.ts";
import { memoryOf, STAMP, storeForTest, waitingForLocks } from "./fixture.ts";

const STALLED = "portcullis 0123456789ab";
const RULE = { agentId: "x", namespace: "n", allowed: true };

/** A session with this name, in a transaction that holds what the statement locks. Says when the server ended it. */
async function session({ url }: TestDatabase, name: string) {
  const client = new Client({ connectionString: url, application_name: name });
  const ended = new Promise<void>((resolve) => client.once("end", resolve));
  client.on("error", () => undefined);
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  await client.query("BEGIN");
  return { client, ended };
}

async function prepare() {
  const database = await databaseForTest();
  const records = await storeForTest(database.url);
  records.policy.onChange(() => undefined);
  return { database, records };
}

const share = `SELECT pg_advisory_xact_lock_shared(${fenceLock(1)})`;
const takeAlone = `SELECT pg_advisory_xact_lock(${fenceLock(1)})`;

describe("a process that stands still", () => {
  test("loses all its sessions when others wait for it, also those that wait for a lock themselves", async () => {
    const { database, records } = await prepare();
    const holding = await session(database, STALLED);
    await holding.client.query(share);
    const queued: Promise<unknown>[] = [];
    for (const statement of [takeAlone, share]) {
      const { client, ended } = await session(database, STALLED);
      client.query(statement).catch(() => undefined);
      queued.push(ended);
      await waitFor(async () => expect(await waitingForLocks(database)).toBe(queued.length));
    }
    expect(await records.policy.set(RULE, STAMP)).toEqual({ version: 1 });
    await Promise.all([holding.ended, ...queued]);
  });

  test("holds up no capture", async () => {
    const { database, records } = await prepare();
    const { client, ended } = await session(database, STALLED);
    await client.query("SELECT FROM portcullis.counters WHERE name = 'memory' FOR UPDATE");
    await records.memories.add(memoryOf("a"));
    await ended;
  });

  test("keeps its sessions while nobody waits for them, or when it does something", async () => {
    const { database, records } = await prepare();
    const idle = await session(database, STALLED);
    const busy = await session(database, "portcullis ba9876543210");
    await busy.client.query(share);
    const setting = records.policy.set(RULE, STAMP);
    // Asked so often, the session never stands still for long.
    const old =
      "SELECT FROM pg_stat_activity WHERE pid = pg_backend_pid() AND clock_timestamp() - xact_start > interval '3 seconds'";
    await waitFor(async () => expect((await busy.client.query(old)).rows).toHaveLength(1));
    await busy.client.query("COMMIT");
    await setting;
    await idle.client.query("COMMIT");
  });

  test("is not taken for one of ours when it is another program", async () => {
    const { database, records } = await prepare();
    const { client } = await session(database, "psql");
    await client.query(share);
    const setting = records.policy.set(RULE, STAMP);
    const stands = `SELECT FROM pg_stat_activity WHERE application_name = 'psql' AND datname = current_database()
      AND clock_timestamp() - state_change > interval '3 seconds'`;
    await waitFor(async () => expect(await database.run(stands)).toHaveLength(1));
    await client.query("COMMIT");
    await setting;
  });
});
