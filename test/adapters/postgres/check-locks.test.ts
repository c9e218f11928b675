// The start is refused where advisory locks do not exclude other sessions.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkSessions } from "#adapters/records/postgres/connection/check-locks.ts";
import { postgresRecords } from "#adapters/records/postgres/postgres-records.ts";
import { ownerOf } from "#test/support/postgres/binaries.ts";
import { freePort } from "#test/support/postgres/server.ts";
import { waitFor } from "#test/support/wait-for.ts";
import { databaseForTest, emptyDatabaseForTest, STAMP, storeForTest } from "./fixture.ts";

const POOLED = {
  code: "configuration",
  message: expect.stringMatching(/connection pooler.*PgBouncer.*pool_mode = session/),
};

async function clientOf(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe("the check of advisory locks", () => {
  test("passes for two sessions, and leaves no lock behind", async () => {
    const { url, run } = await databaseForTest();
    await checkSessions(await clientOf(url), await clientOf(url));
    const ours = "database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    expect(await run(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND ${ours}`)).toEqual([]);
  });

  test("refuses two clients that share a session", async () => {
    const client = await clientOf((await databaseForTest()).url);
    await expect(checkSessions(client, client)).rejects.toMatchObject(POOLED);
  });

  test.for(["pg_try_advisory_lock_shared", "pg_try_advisory_xact_lock_shared", "pg_try_advisory_xact_lock"])(
    "refuses a database by its name when its %s says true and locks nothing",
    async (name) => {
      const { url, run } = await emptyDatabaseForTest();
      await run("CREATE SCHEMA stubs");
      await run(`CREATE FUNCTION stubs.${name}(integer, integer) RETURNS boolean AS 'SELECT true' LANGUAGE sql`);
      await run(
        `CREATE FUNCTION stubs.version() RETURNS text AS $$SELECT 'CockroachDB CCL v23.1.1 (x86_64)'$$ LANGUAGE sql`,
      );
      await run(
        `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = stubs, pg_catalog', current_database()); END $$`,
      );
      await expect(postgresRecords({ url })).rejects.toMatchObject({
        code: "configuration",
        message: expect.stringContaining("DATABASE_URL leads to CockroachDB CCL v23.1.1, whose advisory locks"),
      });
      // Nothing was migrated.
      expect(await run("SELECT to_regnamespace('portcullis') AS schema")).toEqual([{ schema: null }]);
    },
  );
});

const PGBOUNCER = spawnSync("pgbouncer", ["--version"]).status === 0;

describe.runIf(PGBOUNCER)("behind PgBouncer (skipped where it is not installed), a store", () => {
  test.for(["transaction", "statement"])("is refused with pool_mode = %s", async (mode) => {
    const url = await pgbouncerForTest(mode);
    await expect(postgresRecords({ url })).rejects.toMatchObject(POOLED);
  });

  test("works with pool_mode = session", async () => {
    const records = await storeForTest(await pgbouncerForTest("session"));
    let calls = 0;
    records.policy.onChange(() => {
      calls += 1;
    });
    const { version } = await records.policy.set({ agentId: "x", namespace: "n", allowed: true }, STAMP);
    const readSet = { agentId: "x", policyVersion: version, namespaces: ["n"], removals: 0, memoryIds: [] };
    expect(await records.policy.passFence(readSet, () => undefined)).toBe(true);
    await waitFor(() => expect(calls).toBeGreaterThan(1));
  });
});

/** A PgBouncer before a database of its own. Answers with the URL. */
async function pgbouncerForTest(mode: string): Promise<string> {
  const behind = new URL((await databaseForTest()).url);
  const folder = mkdtempSync(join(tmpdir(), "portcullis-pgbouncer-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const { hostname, port: serverPort, username, password } = behind;
  writeFileSync(
    join(folder, "pgbouncer.ini"),
    `[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = any
pool_mode = ${mode}
default_pool_size = 40
`,
  );
  // It refuses to run as root.
  const owner = ownerOf();
  chmodSync(folder, 0o755);
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const child = spawn("pgbouncer", [join(folder, "pgbouncer.ini")], { ...owner, stdio: "ignore" });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const url = Object.assign(new URL(behind), { port: String(port) }).href;
  await waitFor(async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.end();
  });
  return url;
}
