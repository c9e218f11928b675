import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { KEPT_REVOKE_TIMES } from "#adapters/records/shared/logs/reports.ts";
import { MIGRATIONS, openDatabase } from "#adapters/records/sqlite/connection/open.ts";
import { createWriteQueue } from "#adapters/records/sqlite/connection/write-queue.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { policyFrom } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import type { DeploymentRecords, TenantRecord } from "#ports.ts";
import { recordStoreSuite } from "#test/suites/record-store.ts";
import { decision } from "#test/suites/records/decisions.ts";
import { logSuite } from "#test/suites/records/log.ts";
import { proposalSuite } from "#test/suites/records/proposals.ts";
import { memory, newMemory, receipt } from "#test/suites/records/samples.ts";
import { tenantQuotaSuite } from "#test/suites/records/tenant-quotas.ts";
import { besideAnother, recordsNamed, tenantSuite } from "#test/suites/records/tenants.ts";
import { webhookSuite } from "#test/suites/records/webhooks.ts";
import { readChanges } from "#test/support/read-changes.ts";
import {
  emptyDatabase,
  IS_OF_TENANT,
  OWNER_OF_PUBLIC_ID,
  readsOfOthers,
  recordStatements,
  SPANNING,
  stepsOf,
  tenantTables,
} from "#test/support/sent-statements.ts";

const sent = recordStatements();

/** A later version, which adds a column. */
const NEXT = [...MIGRATIONS, "ALTER TABLE memories ADD COLUMN mood TEXT"];

const AT = "2026-01-02T03:04:05.678Z";

const newFolder = () => mkdtempSync(join(tmpdir(), "portcullis-sqlite-"));

const pathIn = (folder: string) => join(folder, "deep", "er", "records.db");

/** With a neighbour. Tests get a copy of its folder: to make another takes longer than most of them. */
const template = newFolder();
beforeAll(async () => (await besideAnother(sqliteRecords({ path: pathIn(template) }))).close());
afterAll(() => rmSync(template, { recursive: true }));

/** In each database, the chains of tenants without changes begin at random. */
const NEW_CHAINS = `UPDATE policy_chain AS one SET chain_hash = lower(hex(randomblob(32)))
  WHERE NOT EXISTS (SELECT 1 FROM policy_chain AS another WHERE another.tenant = one.tenant AND version > 0)`;

recordStoreSuite("SQLite", async () => {
  const folder = newFolder();
  cpSync(template, folder, { recursive: true });
  const path = pathIn(folder);
  const copy = new DatabaseSync(path);
  copy.exec(NEW_CHAINS);
  copy.close();
  return {
    open: async (limits) => besideAnother(sqliteRecords({ path, serves: true, ...(limits && { limits }) })),
    destroy: async () => rmSync(folder, { recursive: true }),
  };
});

tenantSuite("SQLite", async () => sqliteRecords({ path: ":memory:" }));
proposalSuite("SQLite", async () => sqliteRecords({ path: ":memory:" }));
webhookSuite("SQLite", async () => sqliteRecords({ path: ":memory:" }));
logSuite("SQLite", async () => {
  const opened = sqliteRecords({ path: ":memory:" });
  return async () => opened;
});
tenantQuotaSuite("SQLite", async () => {
  // One process serves a file.
  let opened: DeploymentRecords | undefined;
  return async (limits) => (opened ??= sqliteRecords({ path: ":memory:", ...(limits && { limits }) }));
});

test("A receipt and a decision, and the lists of names that they are the first to use, share one commit", async () => {
  let commits = 0;
  const records = sqliteRecords({ path: ":memory:", onCommit: () => ++commits });
  const listOf = (name: string) => ({ digest: name, names: [name] });
  const decided = decision({ allowed: listOf("allowed"), blocked: listOf("blocked") });
  await records.receipts.add(receipt(1, { blockedList: listOf("withheld") }), decided);
  expect(commits).toBe(1);
  const listed = ["allowed", "blocked", "withheld"].map((digest) => records.receipts.listedNames({ digest, limit: 2 }));
  expect(await Promise.all(listed)).toEqual([["allowed"], ["blocked"], ["withheld"]]);
  await records.close();
});

describe("an SQLite file", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = newFolder();
    path = join(folder, "records.db");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("the questions of a memory that expires are dropped in steps, and other work goes on between them", async () => {
    let commits = 0;
    let time = new Date("2026-01-01T00:00:00Z");
    const records = sqliteRecords({ path, now: () => time, onCommit: () => ++commits });
    const expiresAt = "2026-01-02T00:00:00.000Z";
    const { memoryId } = await records.memories.add(newMemory("popular", { expiresAt }));
    const question = { text: "What is for dinner?", encrypted: false };
    const ask = (i: number) => records.receipts.add(receipt(i, { memoryIds: [memoryId], question }));
    await Promise.all(Array.from({ length: 1_100 }, (_, i) => ask(i)));
    time = new Date("2026-01-03T00:00:00Z");
    commits = 0;
    expect(await records.memories.forgetExpired(10)).toBe(1);
    expect(commits).toBeGreaterThan(2);
    const { receipts } = await records.receipts.page({ limit: 2_000 });
    expect(receipts.filter((each) => each.question !== undefined)).toEqual([]);
    await records.close();
  });

  test("is opened with a write-ahead log, full synchronisation and foreign keys", () => {
    const database = openDatabase(path);
    const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect([pragma("journal_mode"), pragma("synchronous"), pragma("foreign_keys")]).toEqual(["wal", 2, 1]);
    database.close();
  });

  test("is served by one process: a second one is refused until the first has ended", async () => {
    const first = sqliteRecords({ path, serves: true });
    expect(() => sqliteRecords({ path, serves: true })).toThrow(/Another process serves .*PostgreSQL/);
    const link = join(folder, "link.db");
    symlinkSync(path, link);
    expect(() => sqliteRecords({ path: link, serves: true })).toThrow("Another process serves");
    // A process that does not serve may open it.
    const reader = sqliteRecords({ path });
    await reader.ping();
    await reader.close();
    await first.close();
    await sqliteRecords({ path, serves: true }).close();
  });

  test("of a newer version is refused, and the error says to upgrade", () => {
    openDatabase(path, NEXT).close();
    expect(() => openDatabase(path)).toThrow(/written by a newer version of Portcullis.*Upgrade Portcullis/);
  });

  test("of an older version gets the column that the newer one adds, and keeps its records", async () => {
    const old = sqliteRecords({ path });
    const { memoryId } = await old.memories.add(memory(1));
    await old.close();
    const database = openDatabase(path, NEXT);
    database.exec("UPDATE memories SET mood = 'calm'");
    expect(database.prepare("SELECT memory_id AS memoryId, mood FROM memories").all()).toEqual([
      { memoryId, mood: "calm" },
    ]);
    database.close();
    openDatabase(path, NEXT).close();
  });

  test("of an older version is left to the service: a command changes nothing", () => {
    openDatabase(path).close();
    for (const schemaChange of ["none", "create"] as const)
      expect(() => openDatabase(path, NEXT, { schemaChange })).toThrow(
        /older version of Portcullis.*Start this version/,
      );
    openDatabase(path).close();
  });

  test.for([1, 25])("of another layout (schema %i) is refused, and the error says what to do", (schema) => {
    const other = openDatabase(path);
    other.exec(`PRAGMA user_version = ${schema}`);
    other.close();
    expect(() => openDatabase(path)).toThrow(
      /layout .* cannot read .*Export it with the version that wrote it.*or start anew/,
    );
  });

  test("with skeletons of another version of Unicode has them derived again: names that look alike now stay in use", async () => {
    const first = sqliteRecords({ path });
    await first.memories.add(memory(1, { namespace: "diet" }));
    await first.close();
    const database = openDatabase(path);
    database.exec(`UPDATE skeletons SET version = '1.0'; UPDATE names SET skeleton = 'old ' || name;
      INSERT INTO access VALUES (1, 'planner', 'dіet', 1); UPDATE totals SET value = 1 WHERE name = 'policyRules'`);
    database.close();
    const records = sqliteRecords({ path });
    for (const [i, namespace] of ["diet", "dіet"].entries()) await records.memories.add(memory(i + 2, { namespace }));
    await expect(records.memories.add(memory(9, { namespace: "𝐝iet" }))).rejects.toMatchObject({
      code: "confusable-name",
    });
    await records.close();
  });

  test("is left as it was when a migration fails", () => {
    openDatabase(path).close();
    expect(() => openDatabase(path, [...NEXT, "CREATE TABLE later (x); SELECT nonsense"])).toThrow();
    // As if the disk were full.
    const big = "PRAGMA max_page_count = 1; CREATE TABLE later (x); INSERT INTO later VALUES (zeroblob(1000000))";
    expect(() => openDatabase(path, [...MIGRATIONS, big])).toThrow("is full. Make room");
    const database = openDatabase(path);
    expect(database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'later'").get()).toEqual({ n: 0 });
    database.close();
  });

  test("is refused when another program wrote it, or when it is no database", () => {
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE theirs (x)");
    other.close();
    expect(() => openDatabase(path)).toThrow("another program's database");
    writeFileSync(path, "not a database at all, but long enough to have a header of its own".repeat(20));
    expect(() => openDatabase(path)).toThrow("is not a database");
    expect(() => openDatabase(folder)).toThrow("cannot be opened");
    // No folder can be made there, and Node's recursive mkdir would try for ever.
    expect(() => openDatabase("/proc/x/y.db")).toThrow("cannot be opened");
  });

  test("gets the writes of one turn in one commit, and all of them fail when the commit fails", async () => {
    const database = openDatabase(path);
    const commits = createWriteQueue(database);
    const insert = database.prepare("INSERT INTO counters VALUES (1, ?, 1)");
    expect(await Promise.all(["a", "b"].map((name) => commits.write(() => insert.run(name).changes)))).toEqual([1, 1]);

    database.exec("PRAGMA max_page_count = 1");
    const blob = "x".repeat(100_000);
    const results = await Promise.allSettled(["c", blob].map((name) => commits.write(() => insert.run(name))));
    expect(results.at(-1)?.status).toBe("rejected");
    database.exec("PRAGMA max_page_count = 1000000");
    await commits.write(() => insert.run("d"));
    const recorded = database.prepare("SELECT name FROM counters WHERE length(name) = 1 ORDER BY name").all();
    const acknowledged = ["a", "b", ...(results[0]?.status === "fulfilled" ? ["c"] : []), "d"];
    expect(recorded.map(({ name }) => name)).toEqual(acknowledged);
    database.close();
  });

  test("undoes a write that throws, and no other write of its commit", async () => {
    const database = openDatabase(path);
    const commits = createWriteQueue(database);
    const insert = database.prepare("INSERT INTO counters VALUES (1, ?, 1)");
    const named = (name: string) => () => {
      insert.run(name);
      if (name === "b") throw new Error("refused");
      return name;
    };
    const recorded = () =>
      database
        .prepare("SELECT name FROM counters WHERE length(name) = 1 ORDER BY name")
        .all()
        .map(({ name }) => name);
    const results = await Promise.allSettled(["a", "b", "c"].map((name) => commits.write(named(name))));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(recorded()).toEqual(["a", "c"]);
    expect(await Promise.all(["d", "e"].map((name) => commits.write(named(name))))).toEqual(["d", "e"]);

    // Another process takes the file before the writes run again.
    const other = new DatabaseSync(path);
    const exec = vi.spyOn(database, "exec").mockImplementationOnce((rollback) => {
      exec.mockRestore();
      database.exec(rollback);
      other.exec("BEGIN IMMEDIATE");
      setTimeout(() => other.exec("COMMIT"), 20);
    });
    const again = await Promise.allSettled(["f", "b", "g"].map((name) => commits.write(named(name))));
    expect(again.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(recorded()).toEqual(["a", "c", "d", "e", "f", "g"]);
    other.close();
    database.close();
  });

  test("with many memories is reset without blocking: others are served meanwhile, and writes come before it or after", async () => {
    const records = sqliteRecords({ path, serves: true });
    const many = Array.from({ length: 3_000 }, (_, i) => memory(i, { namespace: `n${i % 7}` }));
    await Promise.all(many.map((each) => records.memories.add(each)));
    let isReset = false;
    const seed = [memory(1_000_000, { namespace: "__proto__" })];
    const policy = policyFrom([{ agentId: "__proto__", namespace: "__proto__", allowed: true }]);
    const resetting = records.reset(seed, policy, { by: "test", at: "2026-01-02T03:04:05.678Z" }).finally(() => {
      isReset = true;
    });
    const adding: Promise<Memory>[] = [];
    while (!isReset) {
      // On a busy machine the reset takes long, and one page is to show all of them.
      if (adding.length < 5_000) adding.push(records.memories.add(memory(4_000 + adding.length)));
      await new Promise(setImmediate);
      await records.ping();
    }
    await resetting;
    adding.push(records.memories.add(memory(999_999)));
    const added = await Promise.all(adding);
    expect(added.length).toBeGreaterThan(10);
    const { memories } = await records.memories.page({ limit: 10_000 });
    const after = memories.length - 1;
    expect(memories).toEqual([...added.slice(-after).toReversed(), ...seed]);
    expect(await records.policy.current()).toEqual({ policy, version: 1 });
    expect((await records.memories.counts()).byNamespace).toEqual(
      new Map([
        ["__proto__", 1],
        ["n", after],
      ]),
    );
    const forgotten = 3_000 + added.length - after;
    expect((await readChanges(records.changeFeed)).changes).toHaveLength(forgotten + 1 + after);
    await records.close();
  });

  test("is as it was when a reset of many memories fails", async () => {
    const records = sqliteRecords({ path, serves: true });
    await Promise.all(Array.from({ length: 2_000 }, (_, i) => records.memories.add(memory(i))));
    const twice = [memory(1), memory(1)];
    const failing = records.reset(twice, policyFrom([]), { by: "test", at: "" });
    await expect(failing).rejects.toMatchObject({ code: "records-unavailable" });
    expect((await records.memories.counts()).byNamespace).toEqual(new Map([["n", 2_000]]));
    await records.memories.add(memory(3_000));
    await records.close();
  });

  test("refuses a reset of many memories that exceeds a limit, with the limit's own error", async () => {
    const records = sqliteRecords({
      path,
      serves: true,
      limits: { namespaces: 1, policyRules: 10, namespaceRules: 10 },
    });
    await Promise.all(Array.from({ length: 2_000 }, (_, i) => records.memories.add(memory(i))));
    const two = [memory(1, { namespace: "a" }), memory(2, { namespace: "b" })];
    const refused = records.reset(two, policyFrom([]), { by: "test", at: "" });
    await expect(refused).rejects.toMatchObject({ code: "limit-reached" });
    expect((await records.memories.counts()).byNamespace).toEqual(new Map([["n", 2_000]]));
    await records.close();
  });

  test.each([
    ["lost", "DELETE FROM log_batches"],
    ["damaged", "UPDATE log_batches SET entries = '['"],
  ])("a %s entry of one tenant holds up neither the log of others nor the tenant's deletion", async (_what, damage) => {
    const records = sqliteRecords({ path });
    const [a, b] = [await recordsNamed(records, "a"), await recordsNamed(records, "b")];
    for (let i = 0; i < 3; i++) await a.receipts.begin(receipt(i));
    const edited = new DatabaseSync(path);
    edited.exec(`${damage} WHERE tenant = (SELECT number FROM tenants WHERE id = 'a') AND last = 2`);
    edited.close();
    // More than one commit takes.
    for (let i = 3; i < 300; i++) await a.receipts.begin(receipt(i));
    for (let i = 0; i < 3; i++) await b.receipts.begin(receipt(i));
    const { integrate, head } = records.transparencyLog;
    while ((await integrate(1_000)).mayGoOn);
    expect((await b.log.end()).number).toBe(4);
    // Of the first tenant, what was before: that it was made.
    expect((await a.log.end()).number).toBe(1);
    const { size } = await head();
    expect(await integrate(1_000)).toMatchObject({ placed: 0, damaged: new Set([2]) });

    const tenant = (await records.tenants.find("a")) as TenantRecord;
    await records.tenantDeletions.begin("a", AT);
    let steps = 0;
    while ((await records.tenantDeletions.step(tenant, AT)) !== "ended") expect(++steps).toBeLessThan(1_000);
    await b.receipts.begin(receipt(3));
    while ((await integrate(1_000)).mayGoOn);
    expect((await head()).size).toBe(size + 1);
    await records.close();
  });

  test("is read while another process writes to it, and a write waits for that process, up to a timeout", async () => {
    const records = sqliteRecords({ path });
    const other = new DatabaseSync(path);
    const add = (i: number) => records.memories.add(memory(i));
    const countMemories = async () => (await records.memories.page({ limit: 10 })).memories.length;
    other.exec("BEGIN IMMEDIATE");
    const waiting = add(1);
    // The first try to commit runs in the next turn.
    for (let turns = 0; turns < 2; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(await countMemories()).toBe(0);
    other.exec("COMMIT");
    await waiting;
    expect(await countMemories()).toBe(1);

    other.exec("BEGIN IMMEDIATE");
    await expect(add(2)).rejects.toMatchObject({ code: "records-unavailable" });
    other.exec("COMMIT");
    await add(3);
    expect(await countMemories()).toBe(2);
    other.close();
    await records.close();
  });

  test("that another process holds for too long refuses all writes of a turn together, and not one after the other", async () => {
    const records = sqliteRecords({ path });
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const refused = Array.from({ length: 8 }, async (_, i) => {
      await records.receipts.begin(receipt(i)).finally(() => other.isTransaction && other.exec("COMMIT"));
    });
    const outcomes = await Promise.allSettled(refused);
    expect(outcomes.map(({ status }) => status)).toEqual(refused.map(() => "rejected"));
    expect(await records.receipts.countBegun()).toBe(0);
    other.close();
    await records.close();
  });
});

test("the times of revokes have a bound, and the newest stay", async () => {
  const folder = mkdtempSync(join(tmpdir(), "portcullis-test-"));
  const path = join(folder, "records.db");
  const { reports, close } = sqliteRecords({ path });
  const database = new DatabaseSync(path);
  database.exec(`INSERT INTO revoke_times (tenant, id, at, took_ms)
    WITH RECURSIVE places(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM places WHERE n < ${KEPT_REVOKE_TIMES})
    SELECT 1, -n, '2026-01-01T00:00:00.000Z', 1 FROM places`);
  await reports.addRevoke({ at: "2026-01-02T00:00:00.000Z", tookMs: 2 });
  const kept = database.prepare("SELECT count(*) AS count, max(took_ms) AS newest FROM revoke_times").get();
  expect({ ...kept }).toEqual({ count: KEPT_REVOKE_TIMES, newest: 2 });
  database.close();
  await close();
  rmSync(folder, { recursive: true });
});

describe("the records of a tenant", () => {
  const database = emptyDatabase();
  const tables = tenantTables(database);

  test.for(tables)("every key of %s begins with the tenant", (table) => {
    const all = (query: string, column: string) =>
      database
        .prepare(query)
        .all()
        .map((row) => String(row[column]));
    const indexes = all(`SELECT name FROM pragma_index_list('${table}') WHERE ${IS_OF_TENANT}`, "name");
    const keys = [
      all(`SELECT name FROM pragma_table_info('${table}') WHERE pk > 0 ORDER BY pk`, "name"),
      ...indexes.map((index) => all(`SELECT name FROM pragma_index_info('${index}') ORDER BY seqno`, "name")),
    ];
    expect(keys.map(([first]) => first)).toEqual(keys.map(() => "tenant"));
    const references = all(`SELECT "from" FROM pragma_foreign_key_list('${table}') WHERE seq = 0`, "from");
    expect(references).toEqual(references.map(() => "tenant"));
  });

  /** Of this file's own tests, and of the audit, which says a tenant's number. */
  const isOurs = (text: string) => text.includes("tenant") || !tables.some((table) => text.includes(table));

  test("every statement that the tests have sent reads by the tenant", () => {
    const statements = [...sent].filter((text) => /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)/.test(text));
    expect(statements.length).toBeGreaterThan(200);
    const others = statements
      .filter((text) => isOurs(text) && !SPANNING.some((pattern) => pattern.test(text)))
      .map((text) => ({ text, reads: readsOfOthers(database, text, tables) }))
      .filter(({ reads }) => reads.length > 0);
    expect(others).toEqual([]);
  });

  /** SQLite merges the two halves of the view only while each column has the same type in both. */
  test("a page of receipts reads them in their order, and no further than the page", () => {
    const pages = [...sent].filter((text) =>
      /^\s*SELECT .*FROM listed_receipts WHERE tenant = \? AND (agent_id|answer_id <)/s.test(text),
    );
    expect(pages.length).toBeGreaterThan(2);
    const sorting = pages.filter((text) => stepsOf(database, text).some((step) => /TEMP B-TREE|COMPOUND/.test(step)));
    expect(sorting).toEqual([]);
  });

  test("the owner of a public id is looked up by indexes alone, whatever number of tenants there is", () => {
    const [lookup = ""] = [...sent].filter((text) => OWNER_OF_PUBLIC_ID.test(text));
    const steps = stepsOf(database, lookup);
    expect(steps).toContain("SEARCH published USING INDEX published_public (id=?)");
    expect(steps.filter((step) => /^SCAN (?!owners)/.test(step))).toEqual([]);
  });

  test("a statement that leaves the tenant out would be noticed", () => {
    expect(readsOfOthers(database, "SELECT content FROM memories AS m WHERE memory_id = ?", tables)).not.toEqual([]);
    expect(readsOfOthers(database, "DELETE FROM access WHERE agent_id = ?", tables)).not.toEqual([]);
  });
});
