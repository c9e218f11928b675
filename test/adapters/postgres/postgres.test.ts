import { hexToBytes } from "@noble/hashes/utils.js";
import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { migrate } from "#adapters/records/postgres/connection/migrate.ts";
import { LIFE_OF_MEMORIES, MIGRATIONS, NO_SAMPLES_OF_TEXTS } from "#adapters/records/postgres/connection/migrations.ts";
import { postgresRecords } from "#adapters/records/postgres/postgres-records.ts";
import { KEPT_REVOKE_TIMES } from "#adapters/records/shared/logs/reports.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { commitmentTo } from "#core/receipt/disclosure/commitment.ts";
import type { RecordLimits } from "#ports.ts";
import { recordStoreSuite } from "#test/suites/record-store.ts";
import { reusedDatabase } from "#test/support/postgres/databases.ts";
import { BEGINNING, readChanges } from "#test/support/read-changes.ts";
import { databaseForTest, memoryOf, STAMP, storeForTest } from "./fixture.ts";

recordStoreSuite("PostgreSQL", async () => {
  const { url, giveBack } = await reusedDatabase();
  const open = (limits?: RecordLimits) => postgresRecords({ url, ...(limits && { limits }) });
  return { open, openAgain: open, destroy: async () => giveBack() };
});

async function clientOf(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** A signed receipt that shows the snippet of a memory, and the same receipt without it. */
function receiptWithSnippets() {
  const salt = "5a17".repeat(16);
  const used = { authorized: true, memoryId: "mem_1", namespace: "n", storeRef: "ref" };
  const evidence = { commitments: { "/answer": "c0" }, salts: { "/agentId": "a0", "/usedMemories/0/snippet": salt } };
  const rest = { agentId: "a", answerId: "ans_1", createdAt: STAMP.at };
  const commitment = commitmentTo(hexToBytes(salt), "no peanuts");
  return {
    receipt: { ...rest, evidence, usedMemories: [{ ...used, snippet: "no peanuts" }] },
    withheld: {
      ...rest,
      evidence: {
        commitments: { "/answer": "c0", "/usedMemories/0/snippet": commitment },
        salts: { "/agentId": "a0" },
      },
      usedMemories: [used],
    },
  };
}

/** How many migrations there were before names were compared. */
const BEFORE_NAMES = MIGRATIONS.findIndex((migration) => migration.includes("CREATE TABLE names ("));
const NEXT = [...MIGRATIONS, "CREATE TABLE later (x integer)"];
const UNAVAILABLE = { code: "records-unavailable" };

test("the times of revokes have a bound, and the newest stay", async () => {
  const { url, run } = await databaseForTest();
  const { reports } = await storeForTest(url);
  await run("INSERT INTO portcullis.revoke_times (at, took_ms) SELECT $1, 1 FROM generate_series(1, $2)", [
    STAMP.at,
    KEPT_REVOKE_TIMES,
  ]);
  await reports.addRevoke({ at: STAMP.at, tookMs: 2 });
  const [kept] = await run("SELECT count(*)::int AS count, max(took_ms)::int AS newest FROM portcullis.revoke_times");
  expect(kept).toEqual({ count: KEPT_REVOKE_TIMES, newest: 2 });
});

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
    expect(heads).toEqual([{ namespace: "n", memories: 1, isSealed: false, head: 1 }]);
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

  test("migrates a schema whose statistics have samples of texts: they are dropped, and no others are taken", async () => {
    const { url, run } = await databaseForTest();
    await migrate(await clientOf(url), MIGRATIONS.slice(0, MIGRATIONS.indexOf(NO_SAMPLES_OF_TEXTS)));
    await run(`INSERT INTO portcullis.memories (sequence, memory_id, store_ref, namespace, content, source_agent, created_at,
        content_digest, fact_key) VALUES (1, 'm1', 'r', 'n', 'canary', 's', 't', 'd', 'canary'), (2, 'm2', 'r', 'n', 'canary', 's2', 't', 'd', 'canary')`);
    const samples = () =>
      run(`SELECT attname FROM pg_stats WHERE schemaname = 'portcullis' AND most_common_vals::text LIKE '%canary%'`);
    await run("ANALYZE");
    expect(await samples()).not.toEqual([]);
    await migrate(await clientOf(url), MIGRATIONS);
    expect(await samples()).toEqual([]);
    await run("ANALYZE");
    expect(await samples()).toEqual([]);
  });

  test("migrates the schema before the life of memories: receipts lose the text of memories, and uses are found", async () => {
    const { url, run } = await databaseForTest();
    await migrate(await clientOf(url), MIGRATIONS.slice(0, MIGRATIONS.indexOf(LIFE_OF_MEMORIES)));
    const { receipt, withheld } = receiptWithSnippets();
    const client = await clientOf(url);
    await client.query(`SET search_path = portcullis; UPDATE counters SET value = 3 WHERE name = 'memory';
      INSERT INTO memories VALUES (1, 'mem_1', 'ref', 'n', 'old', 's', '${STAMP.at}', 'd');
      INSERT INTO forgotten VALUES (3, 2, 'n');
      INSERT INTO namespaces VALUES ('n', 1, 3);
      INSERT INTO source_agents VALUES ('s', 1);
      UPDATE totals SET value = 1 WHERE name = 'namespaces'`);
    const values = [receipt.answerId, STAMP.at, canonicalJson(receipt)];
    await client.query("INSERT INTO receipts VALUES ($1, 'a', $2, $3)", values);
    await client.query("INSERT INTO answers VALUES ($1, 'a', true, '{}')", [receipt.answerId]);
    await client.query("INSERT INTO opened_receipts VALUES ('ans_open', 'a', $1, '{}', NULL, $2)", values.slice(1));
    const anchored = ["blob", "digest", receipt.answerId, receipt.answerId, STAMP.at, values[2]];
    await client.query("INSERT INTO anchors VALUES ($1, $2, $3, $4, $5, $6)", anchored);
    await client.query("INSERT INTO receipts VALUES ('ans_former', 'a', $1, $2)", [
      STAMP.at,
      '{"answer":"canary \\"snippet\\"","answerId":"ans_former","usedMemories":[{"memoryId":"mem_1","snippet":"canary"}]}',
    ]);

    const { memories, receipts, anchors } = await storeForTest(url);
    const body = canonicalJson(withheld);
    expect(await receipts.isIssued(receipt.answerId, body)).toBe(true);
    expect((await receipts.find("ans_open"))?.body).toBe(body);
    expect((await receipts.find("ans_former"))?.body).toBe(
      '{"answer":"canary \\"snippet\\"","answerId":"ans_former","usedMemories":[{"memoryId":"mem_1"}]}',
    );
    // What was anchored is public, and stays.
    expect((await anchors.page({ limit: 9 })).map((each) => each.body)).toEqual([values[2]]);
    const { uses } = await memories.uses("mem_1", { limit: 9 });
    expect(uses.map(({ answerId }) => answerId)).toEqual(["ans_open", "ans_former", receipt.answerId]);
    expect(await memories.add(memoryOf("old", { contentDigest: "d" }))).toMatchObject({ memoryId: "mem_1" });
    const forgotten = await memories.forget({ memoryIds: ["mem_1"], cause: "forgotten" }, STAMP);
    expect(forgotten).toMatchObject([{ tombstone: { memoryId: "mem_1" }, anchoredReceipts: 1 }]);
    expect(await run("SELECT FROM portcullis.receipts WHERE body LIKE '%no peanuts%'")).toEqual([]);
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
