import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { LOCKS } from "#adapters/records/postgres/connection/advisory-locks.ts";
import { migrate } from "#adapters/records/postgres/connection/migrate.ts";
import { MIGRATIONS } from "#adapters/records/postgres/connection/migrations.ts";
import { postgresRecords } from "#adapters/records/postgres/postgres-records.ts";
import { policyFrom } from "#core/gate/policy.ts";
import type { RecordLimits } from "#ports.ts";
import { recordStoreSuite } from "#test/suites/record-store.ts";
import { databaseWithSchema } from "#test/support/postgres/databases.ts";
import { BEGINNING, readChanges } from "#test/support/read-changes.ts";
import { databaseForTest, eventually, memoryOf, STAMP, storeForTest, waitingForLocks } from "./fixture.ts";

recordStoreSuite("PostgreSQL", async () => {
  const { url, drop } = await databaseWithSchema();
  const open = (limits?: RecordLimits) => postgresRecords({ url, ...(limits && { limits }) });
  return { open, openAgain: open, destroy: drop };
});

async function clientOf(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** How many migrations there were before names were compared. */
const BEFORE_NAMES = MIGRATIONS.findIndex((migration) => migration.includes("CREATE TABLE names ("));
const NEXT = [...MIGRATIONS, "CREATE TABLE later (x integer)"];
const UNAVAILABLE = { code: "records-unavailable" };

describe("opening a PostgreSQL database", () => {
  test("stores that start at once migrate it one after another", async () => {
    const { url, run } = await databaseForTest();
    const stores = await Promise.all(Array.from({ length: 8 }, () => storeForTest(url)));
    await Promise.all(stores.map((records) => records.ping()));
    expect(await run("SELECT version FROM portcullis.schema_version")).toEqual([{ version: MIGRATIONS.length }]);
  });

  test("migrates an older schema and keeps its records", async () => {
    const { url, run } = await databaseForTest();
    await (await storeForTest(url)).memories.add(memoryOf("old"));
    await migrate(await clientOf(url), NEXT);
    expect(await run("SELECT content FROM portcullis.memories")).toEqual([{ content: "old" }]);
    expect(await run("SELECT x FROM portcullis.later")).toEqual([]);
  });

  test("is left to the service: a command neither creates a schema nor upgrades an older one", async () => {
    const { url, run } = await databaseForTest();
    const command = { url, schemaChange: "none" } as const;
    await expect(postgresRecords(command)).rejects.toThrow("There are no records in the database");
    expect(await run("SELECT to_regnamespace('portcullis') AS schema")).toEqual([{ schema: null }]);
    await migrate(await clientOf(url), MIGRATIONS.slice(0, -1));
    await expect(postgresRecords(command)).rejects.toThrow("older version of Portcullis");
    await expect(postgresRecords({ url, schemaChange: "create" })).rejects.toThrow("older version of Portcullis");
    const older = [{ version: MIGRATIONS.length - 1 }];
    expect(await run("SELECT version FROM portcullis.schema_version")).toEqual(older);
  });

  test("migrates the schema before pins: its memories are not pinned, and can be", async () => {
    const { url, run } = await databaseForTest();
    await migrate(await clientOf(url), MIGRATIONS.slice(0, 2));
    await run(`UPDATE portcullis.counters SET value = 1 WHERE name = 'memory';
      INSERT INTO portcullis.memories VALUES (1, 'mem_1', 'ref', 'n', 'old', 's', '${STAMP.at}', 'd')`);
    const records = await storeForTest(url);
    const old = memoryOf("old", { memoryId: "mem_1", contentDigest: "d" });
    const { heads } = await records.changeFeed.since(BEGINNING);
    expect(heads).toEqual([{ namespace: "n", memories: 1, head: 1 }]);
    expect((await records.memories.counts()).bySourceAgent).toEqual(new Map([["s", 1]]));
    expect(await records.memories.find("mem_1")).toEqual(old);
    const outcome = await records.memories.setPinned({ memoryId: "mem_1", pinned: true, limit: 1 }, STAMP);
    expect(outcome).toEqual({ kind: "set", memory: { ...old, pinned: true } });
    expect(await readChanges(records.changeFeed, { position: 1, policyVersion: 0 })).toMatchObject({
      changes: [{ kind: "pinned", sequence: 2, namespace: "n", captured: 1, pinned: true }],
    });
  });

  test("migrates the schema before skeletons: what is on record stays in use, and new names are compared", async () => {
    const { url, run } = await databaseForTest();
    await migrate(await clientOf(url), MIGRATIONS.slice(0, BEFORE_NAMES));
    await run(`SET search_path = portcullis; UPDATE counters SET value = 2 WHERE name = 'memory';
      INSERT INTO memories VALUES (1, 'm1', 'r', 'diet', 'c', 's', 't', 'd'), (2, 'm2', 'r', 'dіet', 'c', 's', 't', 'd');
      INSERT INTO namespaces VALUES ('diet', 1, 1), ('dіet', 1, 2);
      INSERT INTO source_agents VALUES ('s', 2);
      INSERT INTO access VALUES ('planner', 'x', true), ('closed', 'y', false);
      UPDATE totals SET value = 2 WHERE name IN ('namespaces', 'leaves')`);
    const [records] = await Promise.all([storeForTest(url), storeForTest(url)]);
    const confusable = { code: "confusable-name" };
    for (const namespace of ["diet", "dіet"]) await records.memories.add(memoryOf("new", { namespace }));
    await expect(records.memories.add(memoryOf("new", { namespace: "𝐝iet" }))).rejects.toMatchObject(confusable);
    const set = (agentId: string) => records.policy.set({ agentId, namespace: "x", allowed: true }, STAMP);
    await expect(set("рlanner")).rejects.toMatchObject(confusable);
    await set("сlosed");
    // Of a fact that is on record twice, the first memory counts.
    expect(await records.memories.add(memoryOf("c", { contentDigest: "d" }))).toMatchObject({ memoryId: "m1" });
  });

  test("leaves the database as it was when a migration fails", async () => {
    const { url, run } = await databaseForTest();
    await migrate(await clientOf(url));
    await expect(migrate(await clientOf(url), [...NEXT, "SELECT nonsense"])).rejects.toThrow("nonsense");
    expect(await run("SELECT to_regclass('portcullis.later') AS later")).toEqual([{ later: null }]);
    await (await storeForTest(url)).ping();
  });

  test("refuses a schema of a newer version, and says to upgrade", async () => {
    const { url } = await databaseForTest();
    await migrate(await clientOf(url), NEXT);
    await expect(postgresRecords({ url })).rejects.toMatchObject({
      code: "configuration",
      message: expect.stringMatching(/written by a newer version of Portcullis.*Upgrade Portcullis/),
    });
  });

  test("refuses another program's schema of the same name, but uses an empty one", async () => {
    const { url, run } = await databaseForTest();
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
    const { url } = await databaseForTest();
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
      records.policy.passFence({ agentId, policyVersion: 0, namespaces: ["n"] }, () => undefined);
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

test("a receipt that is recorded while a reset waits for the fence keeps the facts that it names", async () => {
  const { url, run } = await databaseForTest();
  const records = await storeForTest(url);
  await records.memories.add(memoryOf("fact", { storeRef: "a" }));
  const holder = await clientOf(url);
  await holder.query(`SELECT pg_advisory_lock_shared(${LOCKS.policy})`);
  const reset = records.reset([], policyFrom([]), STAMP);
  await eventually(async () => expect(await waitingForLocks({ run })).toBe(1));
  const body = JSON.stringify({ usedMemories: [{ storeRef: "a" }] });
  const receipt = { answerId: "ans_1", agentId: "x", createdAt: STAMP.at, namespaces: [], body, seed: "" };
  await records.receipts.add({ ...receipt, used: 1, verified: 1, intact: 1 });
  await holder.query(`SELECT pg_advisory_unlock_shared(${LOCKS.policy})`);
  await reset;
  expect(await records.blobTexts.findCurrent("a")).toBeUndefined();
  expect(await records.blobTexts.find("a")).toContain("fact");
});
