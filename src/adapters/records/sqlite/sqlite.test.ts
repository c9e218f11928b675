import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recordStoreSuite } from "../suite.ts";
import { groupCommits } from "./commits.ts";
import { sqliteRecords } from "./index.ts";
import { MIGRATIONS } from "./migrations.ts";
import { openDatabase } from "./open.ts";

const newFolder = () => mkdtempSync(join(tmpdir(), "portcullis-sqlite-"));

recordStoreSuite("SQLite", async () => {
  const folder = newFolder();
  return {
    open: async () => sqliteRecords({ path: join(folder, "deep", "er", "records.db") }),
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

  it("is opened durable: write-ahead log, full synchronisation, foreign keys", () => {
    const database = openDatabase(path);
    const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect([pragma("journal_mode"), pragma("synchronous"), pragma("foreign_keys")]).toEqual(["wal", 2, 1]);
    database.close();
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
});
