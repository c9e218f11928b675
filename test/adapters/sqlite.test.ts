import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KEPT_REVOKE_TIMES } from "#adapters/records/shared/logs/reports.ts";
import { groupCommit } from "#adapters/records/sqlite/connection/group-commit.ts";
import { MIGRATIONS } from "#adapters/records/sqlite/connection/migrations.ts";
import { openDatabase } from "#adapters/records/sqlite/connection/open.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { nextLink } from "#core/gate/policy-link.ts";
import type { Memory } from "#core/memory.ts";
import type { ReceiptFilter } from "#ports.ts";
import { recordStoreSuite } from "#test/suites/record-store.ts";
import { memory, newMemory, receipt } from "#test/suites/records/samples.ts";
import { BEGINNING, readChanges } from "#test/support/read-changes.ts";

/** How many migrations there were before names were compared. */
const BEFORE_NAMES = MIGRATIONS.findIndex((migration) => migration.includes("CREATE TABLE names ("));

const newFolder = () => mkdtempSync(join(tmpdir(), "portcullis-sqlite-"));

recordStoreSuite("SQLite", async () => {
  const folder = newFolder();
  return {
    open: async (limits) =>
      sqliteRecords({ path: join(folder, "deep", "er", "records.db"), serves: true, ...(limits && { limits }) }),
    destroy: async () => rmSync(folder, { recursive: true }),
  };
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
    const question = { text: "What is for dinner?", sealed: false };
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
    openDatabase(path, [...MIGRATIONS, "CREATE TABLE later (x)"]).close();
    expect(() => openDatabase(path)).toThrow(/written by a newer version of Portcullis.*Upgrade Portcullis/);
  });

  test("of an older version is migrated and keeps its records", () => {
    const old = openDatabase(path);
    old.exec("UPDATE counters SET value = 7 WHERE name = 'policy'");
    old.close();
    const database = openDatabase(path, [...MIGRATIONS, "CREATE TABLE later (x)"]);
    expect(database.prepare("SELECT value FROM counters WHERE name = 'policy'").get()).toEqual({ value: 7 });
    database.exec("INSERT INTO later VALUES (1)");
    database.close();
  });

  test("of a version without the table of answers gets it, so that its receipts are found", async () => {
    const old = openDatabase(path, MIGRATIONS.slice(0, 3));
    const insert = old.prepare("INSERT INTO receipts VALUES (?, 'a', '2026-01-02T03:04:05.678Z', ?)");
    const used = (namespace: string, verified: boolean, intact: boolean) => ({ namespace, verified, intact });
    const body = (usedMemories: object[], blockedNamespaces: string[]) => ({ usedMemories, blockedNamespaces });
    insert.run("ans_1", JSON.stringify(body([used("n", true, true), used("n", true, true)], ['b"'])));
    insert.run("ans_2", JSON.stringify(body([used("m", true, false)], [])));
    insert.run("ans_3", JSON.stringify(body([], ["n"])));
    old.close();

    const records = sqliteRecords({ path });
    const found = async (filter: ReceiptFilter) =>
      (await records.receipts.page({ limit: 9, ...filter })).receipts.map((receipt) => JSON.parse(receipt.body));
    const [one, two, three] = (await found({})).reverse();
    expect(one.usedMemories).toHaveLength(2);
    expect(await found({ namespace: "n" })).toEqual([three, one]);
    expect(await found({ namespace: 'b"' })).toEqual([one]);
    expect(await found({ verified: false })).toEqual([two]);
    expect(await found({ agentId: "a", verified: true })).toEqual([three, one]);
    const counts = { answers: 3, used: 3, verified: 3, intact: 2, brokenOff: 0 };
    expect(await records.receipts.byHour("2026-01-02T03")).toEqual([{ hour: "2026-01-02T03", ...counts }]);
    await records.close();
  });

  test("of a version without a hash chain gets one that begins at its version, with its totals counted", async () => {
    const old = openDatabase(path, MIGRATIONS.slice(0, 5));
    old.exec(`UPDATE counters SET value = 7 WHERE name = 'policy';
      INSERT INTO access VALUES ('a', 'x', 1), ('a', 'y', 0);
      INSERT INTO memories VALUES (1, 'm1', 'r', 'n', 'c', 's', 't', 'd'), (2, 'm2', 'r', 'n', 'c', 's', 't', 'd')`);
    old.close();

    const records = sqliteRecords({ path, limits: { namespaces: 1, policyLeaves: 3 } });
    const rule = { agentId: "a", namespace: "z", allowed: true };
    const stamp = { by: "test", at: "" };
    await expect(records.memories.add(memory(3, { namespace: "m" }))).rejects.toMatchObject({ code: "limit-reached" });
    await records.policy.set(rule, stamp);
    await expect(records.policy.set({ ...rule, namespace: "w" }, stamp)).rejects.toMatchObject({
      code: "limit-reached",
    });
    const links = await records.audit(({ rows }) => Array.fromAsync(rows("link")));
    expect(links.map(({ version }) => version)).toEqual([7, 8]);
    expect(links[0]?.link).toMatch(/^[0-9a-f]{64}$/);
    expect(links[1]?.link).toBe(
      nextLink(links[0]?.link ?? "", 8, [{ agentId: "a", namespace: "z", from: null, to: true }]),
    );
    await records.close();
  });

  test("of the version before pins is migrated: its memories are not pinned, and can be", async () => {
    const old = openDatabase(path, MIGRATIONS.slice(0, 5));
    old.exec(`UPDATE counters SET value = 1 WHERE name = 'memory';
      INSERT INTO memories VALUES (1, 'mem_0001', 'ref', 'n', 'fact 1', 's', '2026-01-02T03:04:05.678Z', 'd')`);
    old.close();
    const records = sqliteRecords({ path });
    const { heads } = await records.changeFeed.since(BEGINNING);
    expect(heads).toEqual([{ namespace: "n", memories: 1, head: 1, isSealed: false }]);
    expect((await records.memories.counts()).bySourceAgent).toEqual(new Map([["s", 1]]));
    expect(await records.memories.find("mem_0001")).toEqual(memory(1, { contentDigest: "d" }));
    const stamp = { by: "tester", at: "" };
    const outcome = await records.memories.setPinned({ memoryId: "mem_0001", pinned: true, limit: 1 }, stamp);
    expect(outcome).toEqual({ kind: "set", memory: memory(1, { contentDigest: "d", pinned: true }) });
    expect(await readChanges(records.changeFeed, { position: 1, policyVersion: 0 })).toMatchObject({
      changes: [{ kind: "pinned", sequence: 2, namespace: "n", captured: 1, pinned: true }],
    });
    await records.close();
  });

  test("of the version before skeletons is migrated: what is on record stays in use, and new names are compared", async () => {
    const old = openDatabase(path, MIGRATIONS.slice(0, BEFORE_NAMES));
    old.exec(`UPDATE counters SET value = 3 WHERE name = 'memory';
      INSERT INTO memories VALUES (1, 'm1', 'r', 'diet', 'c', 's', 't', 'd', 0), (2, 'm2', 'r', 'dіet', 'c', 's', 't', 'd', 0),
        (3, 'm3', 'r', 'di​et', 'c', 's', 't', 'e', 0);
      INSERT INTO namespaces VALUES ('diet', 1, 1), ('dіet', 1, 2), ('di​et', 1, 3);
      INSERT INTO source_agents VALUES ('s', 3);
      INSERT INTO access VALUES ('planner', 'x', 1), ('closed', 'y', 0);
      UPDATE totals SET value = 3 WHERE name = 'namespaces'; UPDATE totals SET value = 2 WHERE name = 'leaves'`);
    old.close();
    const records = sqliteRecords({ path });
    const confusable = { code: "confusable-name" };
    for (const [i, namespace] of ["diet", "dіet", "di\u200bet"].entries())
      await records.memories.add(memory(i, { namespace }));
    await expect(records.memories.add(memory(9, { namespace: "𝐝iet" }))).rejects.toMatchObject(confusable);
    const set = (agentId: string, allowed: boolean) =>
      records.policy.set({ agentId, namespace: "x", allowed }, { by: "test", at: "" });
    await expect(set("рlanner", true)).rejects.toMatchObject(confusable);
    await set("сlosed", true);
    // Of a fact that is on record twice, the first memory counts.
    expect(await records.memories.add(memory(10, { contentDigest: "d" }))).toMatchObject({ memoryId: "m1" });
    await records.close();
  });

  test("with skeletons of another version of Unicode has them derived again", async () => {
    const first = sqliteRecords({ path });
    await first.memories.add(memory(1, { namespace: "diet" }));
    await first.close();
    const database = openDatabase(path);
    database.exec("UPDATE skeletons SET version = '1.0'; UPDATE names SET skeleton = 'old ' || name");
    database.close();
    const records = sqliteRecords({ path });
    await expect(records.memories.add(memory(2, { namespace: "dіet" }))).rejects.toMatchObject({
      code: "confusable-name",
    });
    await records.close();
  });

  test("is left as it was when a migration fails", () => {
    openDatabase(path).close();
    expect(() => openDatabase(path, [...MIGRATIONS, "CREATE TABLE later (x); SELECT nonsense"])).toThrow();
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
    const commits = groupCommit(database);
    const insert = database.prepare("INSERT INTO counters VALUES (?, 1)");
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

  test("with many memories is reset without blocking: others are served meanwhile, and writes come before it or after", async () => {
    const records = sqliteRecords({ path, serves: true });
    const many = Array.from({ length: 3_000 }, (_, i) => memory(i, { namespace: `n${i % 7}` }));
    await Promise.all(many.map((each) => records.memories.add(each)));
    let isReset = false;
    const seed = [memory(9_999, { namespace: "__proto__" })];
    const policy = policyFrom([{ agentId: "__proto__", namespace: "__proto__", allowed: true }]);
    const resetting = records.reset(seed, policy, { by: "test", at: "" }).finally(() => {
      isReset = true;
    });
    const adding: Promise<Memory>[] = [];
    while (!isReset) {
      adding.push(records.memories.add(memory(4_000 + adding.length)));
      await new Promise(setImmediate);
      await records.ping();
    }
    await resetting;
    adding.push(records.memories.add(memory(9_998)));
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
    const records = sqliteRecords({ path, serves: true, limits: { namespaces: 1, policyLeaves: 10 } });
    await Promise.all(Array.from({ length: 2_000 }, (_, i) => records.memories.add(memory(i))));
    const two = [memory(1, { namespace: "a" }), memory(2, { namespace: "b" })];
    const refused = records.reset(two, policyFrom([]), { by: "test", at: "" });
    await expect(refused).rejects.toMatchObject({ code: "limit-reached" });
    expect((await records.memories.counts()).byNamespace).toEqual(new Map([["n", 2_000]]));
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
});

test("the times of revokes have a bound, and the newest stay", async () => {
  const folder = mkdtempSync(join(tmpdir(), "portcullis-test-"));
  const path = join(folder, "records.db");
  const { reports, close } = sqliteRecords({ path });
  const database = new DatabaseSync(path);
  database.exec(`INSERT INTO revoke_times (at, took_ms)
    WITH RECURSIVE places(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM places WHERE n < ${KEPT_REVOKE_TIMES})
    SELECT '2026-01-01T00:00:00.000Z', 1 FROM places`);
  await reports.addRevoke({ at: "2026-01-02T00:00:00.000Z", tookMs: 2 });
  const kept = database.prepare("SELECT count(*) AS count, max(took_ms) AS newest FROM revoke_times").get();
  expect({ ...kept }).toEqual({ count: KEPT_REVOKE_TIMES, newest: 2 });
  database.close();
  await close();
  rmSync(folder, { recursive: true });
});
