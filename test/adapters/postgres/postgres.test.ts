import { Client } from "pg";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { MIGRATIONS, migrate } from "#adapters/records/postgres/connection/migrate.ts";
import { postgresRecords } from "#adapters/records/postgres/postgres-records.ts";
import { KEPT_REVOKE_TIMES } from "#adapters/records/shared/logs/reports.ts";
import type { DeploymentRecords, RecordLimits } from "#ports.ts";
import { recordStoreSuite } from "#test/suites/record-store.ts";
import { logSuite } from "#test/suites/records/log.ts";
import { proposalSuite } from "#test/suites/records/proposals.ts";
import type { StoreUnderTest } from "#test/suites/records/store-under-test.ts";
import { tenantQuotaSuite } from "#test/suites/records/tenant-quotas.ts";
import { fill } from "#test/suites/records/tenant-rows.ts";
import { besideAnother, recordsNamed, tenantSuite } from "#test/suites/records/tenants.ts";
import { webhookSuite } from "#test/suites/records/webhooks.ts";
import { databaseWithSchema } from "#test/support/postgres/databases.ts";
import { readChanges } from "#test/support/read-changes.ts";
import { IS_OF_TENANT, SHARED_TABLES, SPANNING } from "#test/support/sent-statements.ts";
import { databaseForTest, emptyDatabaseForTest, memoryOf, STAMP, storeForTest } from "./fixture.ts";

/** The statements that the tests of this file send. */
const sent = new Set<string>();
const { query } = Client.prototype;
Client.prototype.query = function (this: Client, ...args: unknown[]) {
  const [asked] = args as [string | { readonly text?: string } | undefined];
  sent.add((typeof asked === "string" ? asked : asked?.text) ?? "");
  return Reflect.apply(query, this, args);
} as typeof query;

/** Open while the tests of the suite run, each with a tenant of its own: to open a store takes longer than most of them. */
interface Lasting {
  readonly url: string;
  readonly drop: () => Promise<void>;
  /** Two replicas. */
  readonly one: DeploymentRecords;
  readonly another: DeploymentRecords;
}

let lasting: Promise<Lasting> | undefined;
let tenants = 0;

async function openLasting(): Promise<Lasting> {
  const { url, drop } = await databaseWithSchema();
  const one = await postgresRecords({ url });
  await fill(one, "neighbour");
  return { url, drop, one, another: await postgresRecords({ url }) };
}

afterAll(async () => {
  const opened = await lasting;
  await Promise.all([opened?.one.close(), opened?.another.close()]);
  await opened?.drop();
});

async function prepareTenant(): Promise<StoreUnderTest> {
  lasting ??= openLasting();
  const { url, one, another } = await lasting;
  const tenant = `under-test-${++tenants}`;
  const unused = { one: true, another: true };
  /** A process of its own. */
  const start = async (limits?: RecordLimits) => {
    const deployment = await postgresRecords({ url, ...(limits && { limits }) });
    return { ...(await recordsNamed(deployment, tenant)), close: deployment.close };
  };
  /** The first time in a test, the records of the tenant in a replica that is there. */
  const openIn = (which: keyof typeof unused, replica: DeploymentRecords) => (limits?: RecordLimits) => {
    if (!unused[which] || limits !== undefined) return start(limits);
    unused[which] = false;
    return recordsNamed(replica, tenant);
  };
  return { open: openIn("one", one), openAgain: openIn("another", another), destroy: async () => undefined };
}

async function prepareDatabase(): Promise<StoreUnderTest> {
  const { url, drop } = await databaseWithSchema();
  const open = async (limits?: RecordLimits) =>
    besideAnother(await postgresRecords({ url, ...(limits && { limits }) }));
  return { open, openAgain: open, destroy: drop };
}

recordStoreSuite("PostgreSQL", prepareTenant, prepareDatabase);

tenantSuite("PostgreSQL", async () => postgresRecords({ url: (await databaseForTest()).url }));
proposalSuite("PostgreSQL", async () => postgresRecords({ url: (await databaseForTest()).url }));
webhookSuite("PostgreSQL", async () => postgresRecords({ url: (await databaseForTest()).url }));
logSuite("PostgreSQL", async () => {
  const { url } = await databaseForTest();
  return () => postgresRecords({ url });
});
tenantQuotaSuite("PostgreSQL", async () => {
  const { url } = await databaseForTest();
  return (limits) => postgresRecords({ url, ...(limits && { limits }) });
});

async function clientOf(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** A later version, which adds a column. */
const NEXT = [...MIGRATIONS, "ALTER TABLE memories ADD COLUMN mood text"];
const SCHEMA = "SELECT version FROM portcullis.schema_version";
const UNAVAILABLE = { code: "records-unavailable" };

test("the times of revokes have a bound, and the newest stay", async () => {
  const { url, run } = await databaseForTest();
  const { reports } = await storeForTest(url);
  await run(
    "INSERT INTO portcullis.revoke_times (tenant, id, at, took_ms) SELECT 1, -n, $1, 1 FROM generate_series(1, $2) AS n",
    [STAMP.at, KEPT_REVOKE_TIMES],
  );
  await reports.addRevoke({ at: STAMP.at, tookMs: 2 });
  const [kept] = await run("SELECT count(*)::int AS count, max(took_ms)::int AS newest FROM portcullis.revoke_times");
  expect(kept).toEqual({ count: KEPT_REVOKE_TIMES, newest: 2 });
});

describe("opening a PostgreSQL database", () => {
  test("stores that start at once create its tables one after another", async () => {
    const { url } = await emptyDatabaseForTest();
    const stores = await Promise.all(Array.from({ length: 8 }, () => storeForTest(url)));
    await Promise.all(stores.map((records) => records.ping()));
  });

  test("of an older version adds the column that the newer one has, and keeps its records", async () => {
    const { url, run } = await emptyDatabaseForTest();
    const { memoryId } = await (await storeForTest(url)).memories.add(memoryOf("old"));
    await migrate(await clientOf(url), NEXT);
    await run("UPDATE portcullis.memories SET mood = 'calm'");
    expect(await run('SELECT memory_id AS "memoryId", mood FROM portcullis.memories')).toEqual([
      { memoryId, mood: "calm" },
    ]);
  });

  test("is left to the service: a command neither creates a schema nor upgrades an older one", async () => {
    const { url, run } = await emptyDatabaseForTest();
    await expect(postgresRecords({ url, schemaChange: "none" })).rejects.toThrow("The database has no records");
    expect(await run("SELECT to_regnamespace('portcullis') AS schema")).toEqual([{ schema: null }]);
    const client = await clientOf(url);
    await migrate(client);
    const older = await run(SCHEMA);
    for (const schemaChange of ["none", "create"] as const)
      await expect(migrate(client, NEXT, schemaChange)).rejects.toThrow("older version of Portcullis");
    expect(await run(SCHEMA)).toEqual(older);
  });

  test("of another layout is refused, and the error says what to do", async () => {
    const { url, run } = await emptyDatabaseForTest();
    await migrate(await clientOf(url));
    await run("UPDATE portcullis.schema_version SET version = 25");
    await expect(postgresRecords({ url })).rejects.toMatchObject({
      code: "configuration",
      message: expect.stringMatching(/layout .* cannot read .*Export it with the version that wrote it.*or start anew/),
    });
  });

  test("with skeletons of another version of Unicode derives them again: names that look alike now stay in use", async () => {
    const { url, run } = await emptyDatabaseForTest();
    await (await storeForTest(url)).memories.add(memoryOf("a", { namespace: "diet" }));
    for (const text of [
      "UPDATE skeletons SET version = '1.0'",
      "UPDATE names SET skeleton = 'old ' || name",
      "INSERT INTO access VALUES (1, 'planner', 'dіet', true)",
      "UPDATE totals SET value = 1 WHERE name = 'policyRules'",
    ])
      await run(text.replace(/(?<=UPDATE |INTO )/, "portcullis."));
    const [records] = await Promise.all([storeForTest(url), storeForTest(url)]);
    for (const namespace of ["diet", "dіet"]) await records.memories.add(memoryOf("b", { namespace }));
    await expect(records.memories.add(memoryOf("b", { namespace: "𝐝iet" }))).rejects.toMatchObject({
      code: "confusable-name",
    });
  });

  test("takes no samples of texts, which would outlive them", async () => {
    const { url, run } = await emptyDatabaseForTest();
    const { memories } = await storeForTest(url);
    for (const sourceAgent of ["a", "b"]) await memories.add(memoryOf("canary", { key: "canary", sourceAgent }));
    await run("ANALYZE");
    const samples = "FROM pg_stats WHERE schemaname = 'portcullis' AND most_common_vals::text LIKE '%canary%'";
    expect(await run(`SELECT attname ${samples}`)).toEqual([]);
  });

  test("leaves the database as it was when a migration fails", async () => {
    const { url, run } = await emptyDatabaseForTest();
    await migrate(await clientOf(url));
    await expect(migrate(await clientOf(url), [...NEXT, "SELECT nonsense"])).rejects.toThrow("nonsense");
    await expect(run("SELECT mood FROM portcullis.memories")).rejects.toThrow("mood");
    await (await storeForTest(url)).ping();
  });

  test("refuses a schema of a newer version, and says to upgrade", async () => {
    const { url } = await emptyDatabaseForTest();
    await migrate(await clientOf(url), NEXT);
    await expect(postgresRecords({ url })).rejects.toMatchObject({
      code: "configuration",
      message: expect.stringMatching(/written by a newer version of Portcullis.*Upgrade Portcullis/),
    });
  });

  test("refuses another program's schema of the same name, but uses an empty one", async () => {
    const { url, run } = await emptyDatabaseForTest();
    await run("CREATE SCHEMA portcullis");
    await run("CREATE TABLE portcullis.theirs (x integer)");
    await expect(postgresRecords({ url })).rejects.toMatchObject({
      code: "configuration",
      message: expect.stringContaining("another program's"),
    });
    await run("DROP TABLE portcullis.theirs");
    await (await storeForTest(url)).ping();
  });

  test("tells a wrong URL from a server that does not answer, and never quotes the password", async () => {
    const { url } = await emptyDatabaseForTest();
    const open = (to: Partial<URL>) => postgresRecords({ url: Object.assign(new URL(url), to).href });
    await expect(open({ pathname: "/none" })).rejects.toMatchObject({ code: "configuration" });
    await expect(open({ password: "s3cret" })).rejects.toMatchObject({
      code: "configuration",
      message: expect.not.stringContaining("s3cret"),
    });
    await expect(open({ port: "1" })).rejects.toMatchObject(UNAVAILABLE);
    await expect(postgresRecords({ url: "postgres://[" })).rejects.toMatchObject({ code: "configuration" });
  });
});

describe("records in PostgreSQL", () => {
  test("refuse a text with a NUL, and the other writes and passages of the same batch succeed", async () => {
    const records = await storeForTest((await databaseForTest()).url);
    const results = await Promise.allSettled([
      records.memories.add(memoryOf("a")),
      records.memories.add(memoryOf("nul \0")),
      records.memories.add(memoryOf("b")),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(results[1]).toMatchObject({ reason: UNAVAILABLE });
    const { changes } = await readChanges(records.changeFeed);
    expect(changes.map(({ sequence }) => sequence)).toEqual([1, 2]);

    await expect(records.memories.find("\0")).rejects.toMatchObject(UNAVAILABLE);
    const rule = { agentId: "a", namespace: "n", allowed: true };
    await expect(records.policy.set({ ...rule, agentId: "\0" }, STAMP)).rejects.toMatchObject(UNAVAILABLE);
    await records.policy.set(rule, STAMP);
    const passes = (agentId: string) =>
      records.policy.passFence(
        { agentId, policyVersion: 0, namespaces: ["n"], removals: 0, memoryIds: [] },
        () => undefined,
      );
    expect(await Promise.all([passes("a"), passes("\0"), passes("a")])).toEqual([true, false, true]);
  });

  test("are in the order of bytes, although the database has the order of English", async () => {
    const { url, run } = await databaseForTest();
    const records = await storeForTest(url);
    const names = ["a", "B", "_", "Z", "ä", "\u{1f600}", "\uffee"];
    expect(await run("SELECT 'a' < 'B' AS \"isEnglish\"")).toEqual([{ isEnglish: true }]);
    for (const namespace of names) await records.policy.set({ agentId: "x", namespace, allowed: true }, STAMP);
    const byBytes = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(Object.keys((await records.policy.current()).policy.x ?? {})).toEqual(byBytes);
  });

  test("keep requests whose claims are longer than an entry of an index may be", async () => {
    const records = await storeForTest((await databaseForTest()).url);
    const claimed = Array.from({ length: 500 }, (_, i) => `${i} ${crypto.randomUUID()}`);
    const request = { agentId: "a", blobId: "b", digest: "d", claimed, policyVersion: "newest" as const };
    const pending = await records.chainAnchors.request(request, STAMP.at);
    expect(await records.chainAnchors.request(request, STAMP.at)).toEqual(pending);
    expect(await records.chainAnchors.pending()).toEqual([{ ...request, id: pending.id }]);
  });

  test("keep the last lease of a blob when several come in one commit", async () => {
    const records = await storeForTest((await databaseForTest()).url);
    const lease = (endEpoch: number) => ({ blobId: "same", endEpoch, storedAt: STAMP.at });
    await Promise.all([1, 2, 3].map((n) => records.memories.add(memoryOf(`${n}`, { storeRef: "same" }), lease(n))));
    expect(await records.leases.find("same")).toEqual(lease(3));
  });
});

describe("the records of a tenant in PostgreSQL", () => {
  /** The first column of every primary key, unique index, other index and foreign key. */
  const FIRST_COLUMNS = `
    SELECT pg_class.relname AS "table", keys.name, attname AS first FROM (
      SELECT * FROM (
        SELECT indrelid AS relation, indexrelid::regclass::text AS name, indkey[0] AS first, indisunique::int AS "unique"
        FROM pg_index) AS indexes WHERE ${IS_OF_TENANT}
      UNION ALL SELECT conrelid, conname, conkey[1], 0 FROM pg_constraint WHERE contype = 'f'
    ) AS keys
    JOIN pg_class ON pg_class.oid = relation LEFT JOIN pg_attribute ON attrelid = relation AND attnum = keys.first
    WHERE relnamespace = 'portcullis'::regnamespace`;

  const tenantTables = async (run: Awaited<ReturnType<typeof databaseForTest>>["run"]) =>
    (await run("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'portcullis'"))
      .map(({ name }) => String(name))
      .filter((name) => !SHARED_TABLES.has(name));

  test("every key begins with the tenant", async () => {
    const { url, run } = await databaseForTest();
    await storeForTest(url);
    const tables = await tenantTables(run);
    expect(tables.length).toBeGreaterThan(20);
    const keys = (await run(FIRST_COLUMNS)).filter(({ table }) => tables.includes(String(table)));
    expect(new Set(keys.map(({ table }) => table))).toEqual(new Set(tables));
    expect(keys.filter(({ first }) => first !== "tenant")).toEqual([]);
  });

  test("every statement that the tests have sent names the tenant as often as tables of tenants", async () => {
    const { url, run } = await databaseForTest();
    await storeForTest(url);
    const named = new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE)\\s+(?:${(await tenantTables(run)).join("|")})\\b`, "g");
    const lacking = (text: string) => (text.match(named)?.length ?? 0) > (text.match(/\btenant\b/g)?.length ?? 0);
    expect(lacking("SELECT 1 FROM memories WHERE tenant = $1 AND EXISTS (SELECT 1 FROM receipts)")).toBe(true);
    const statements = [...sent].filter((text) => /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)/.test(text));
    expect(statements.length).toBeGreaterThan(200);
    expect(statements.filter((text) => lacking(text) && !SPANNING.some((pattern) => pattern.test(text)))).toEqual([]);
  });
});
