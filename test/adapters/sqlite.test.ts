import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { groupCommits } from "#adapters/records/sqlite/commits.ts";
import { sqliteRecords } from "#adapters/records/sqlite/index.ts";
import { MIGRATIONS } from "#adapters/records/sqlite/migrations.ts";
import { openDatabase } from "#adapters/records/sqlite/open.ts";
import type { ReceiptFilter } from "#ports.ts";
import { fenceSuite } from "#test/suites/fence.ts";
import { historySuite } from "#test/suites/record-pages.ts";
import { recordStoreSuite } from "#test/suites/record-store.ts";

const newFolder = () => mkdtempSync(join(tmpdir(), "portcullis-sqlite-"));

async function prepare() {
  const folder = newFolder();
  return {
    open: async () => sqliteRecords({ path: join(folder, "deep", "er", "records.db"), serves: true }),
    destroy: async () => rmSync(folder, { recursive: true }),
  };
}

recordStoreSuite("SQLite", prepare);
fenceSuite("SQLite", prepare);
historySuite("SQLite", prepare);

describe("an SQLite file", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = newFolder();
    path = join(folder, "records.db");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is opened durable: write-ahead log, full synchronisation, foreign keys", () => {
    const database = openDatabase(path);
    const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect([pragma("journal_mode"), pragma("synchronous"), pragma("foreign_keys")]).toEqual(["wal", 2, 1]);
    database.close();
  });

  it("is served by one process: a second is refused with a sentence, until the first has ended", async () => {
    const first = sqliteRecords({ path, serves: true });
    expect(() => sqliteRecords({ path, serves: true })).toThrow(/Another process serves .*PostgreSQL/);
    const link = join(folder, "link.db");
    symlinkSync(path, link);
    expect(() => sqliteRecords({ path: link, serves: true })).toThrow("Another process serves");
    // One that only looks may come.
    const looking = sqliteRecords({ path });
    await looking.ping();
    await looking.close();
    await first.close();
    await sqliteRecords({ path, serves: true }).close();
  });

  it("is refused with a sentence when a newer version wrote it", () => {
    openDatabase(path, [...MIGRATIONS, "CREATE TABLE later (x)"]).close();
    expect(() => openDatabase(path)).toThrow(/written by a newer version of Portcullis.*Upgrade Portcullis/);
  });

  it("is migrated from an older version, keeping what it holds", () => {
    const old = openDatabase(path);
    old.exec("UPDATE counters SET value = 7 WHERE name = 'policy'");
    old.close();
    const database = openDatabase(path, [...MIGRATIONS, "CREATE TABLE later (x)"]);
    expect(database.prepare("SELECT value FROM counters WHERE name = 'policy'").get()).toEqual({ value: 7 });
    database.exec("INSERT INTO later VALUES (1)");
    database.close();
  });

  it("finds the receipts of a version that did not note what they can be found by", async () => {
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
    const counts = { answers: 3, used: 3, verified: 3, intact: 2 };
    expect(await records.receipts.byHour("2026-01-02T03")).toEqual([{ hour: "2026-01-02T03", ...counts }]);
    await records.close();
  });

  it("is left as it was when a migration fails", () => {
    openDatabase(path).close();
    expect(() => openDatabase(path, [...MIGRATIONS, "CREATE TABLE later (x); SELECT nonsense"])).toThrow();
    const database = openDatabase(path);
    expect(database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'later'").get()).toEqual({ n: 0 });
    database.close();
  });

  it("is refused when another program wrote it, or when it is no database", () => {
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE theirs (x)");
    other.close();
    expect(() => openDatabase(path)).toThrow("another program's database");
    writeFileSync(path, "not a database at all, but long enough to have a header of its own".repeat(20));
    expect(() => openDatabase(path)).toThrow("is not a database");
    expect(() => openDatabase(folder)).toThrow("cannot be opened");
  });

  it("commits the writes of one turn together, and tells all of them when the commit fails", async () => {
    const database = openDatabase(path);
    const commits = groupCommits(database);
    const insert = database.prepare("INSERT INTO counters VALUES (?, 1)");
    expect(await Promise.all(["a", "b"].map((name) => commits.write(() => insert.run(name).changes)))).toEqual([1, 1]);

    database.exec("PRAGMA max_page_count = 1");
    const blob = "x".repeat(100_000);
    const results = await Promise.allSettled(["c", blob].map((name) => commits.write(() => insert.run(name))));
    expect(results.at(-1)?.status).toBe("rejected");
    database.exec("PRAGMA max_page_count = 1000000");
    await commits.write(() => insert.run("d"));
    const kept = database.prepare("SELECT name FROM counters WHERE length(name) = 1 ORDER BY name").all();
    const told = ["a", "b", ...(results[0]?.status === "fulfilled" ? ["c"] : []), "d"];
    expect(kept.map(({ name }) => name)).toEqual(told);
    database.close();
  });

  it("is read while another process writes to it; a write waits its turn, but not for ever", async () => {
    const records = sqliteRecords({ path });
    const other = new DatabaseSync(path);
    const add = (memoryId: string) => records.memories.add(sample(memoryId));
    const isThere = async () => (await records.memories.page({ limit: 10 })).memories.length;
    other.exec("BEGIN IMMEDIATE");
    const waiting = add("mem_1");
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await isThere()).toBe(0);
    other.exec("COMMIT");
    await waiting;
    expect(await isThere()).toBe(1);

    other.exec("BEGIN IMMEDIATE");
    await expect(add("mem_2")).rejects.toMatchObject({ code: "records-unavailable" });
    other.exec("COMMIT");
    await add("mem_3");
    expect(await isThere()).toBe(2);
    other.close();
    await records.close();
  });
});

const sample = (memoryId: string) => ({
  memoryId,
  storeRef: "ref",
  namespace: "n",
  content: "c",
  sourceAgent: "s",
  createdAt: "2026-01-02T03:04:05.678Z",
  contentDigest: "d",
});
