// What happens to a database whose schema is not the one of this version: the upgrade, the copy that is kept before it,
// and the way back.
import { existsSync, statSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { MIGRATIONS, openDatabase } from "#adapters/records/sqlite/connection/open.ts";
import { runCommand } from "#test/support/run-command.ts";
import { directoryForTest, startService } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";

const READER = { agentId: "assistant", namespace: "reading" };

/** The database of a service that has stopped. The gate of the reader is open in it. */
async function olderDatabase() {
  const directory = await directoryForTest();
  const path = join(directory, "records.db");
  const service = await startService({ database: path });
  await service.client.setAccess({ ...READER, allowed: true });
  await service.stop();
  return { directory, path, copy: `${path}.schema-${schemaOf(path)}` };
}

/** Opens the database as a later version would, which adds a column. */
function upgrade(path: string, keepsCopy = true): void {
  openDatabase(path, [...MIGRATIONS, "ALTER TABLE memories ADD COLUMN mood TEXT"], { keepsCopy }).close();
}

function schemaOf(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const version = database.prepare("PRAGMA user_version").get()?.user_version;
  database.close();
  return Number(version);
}

describe("an SQLite file of an older version", () => {
  test("is kept beside the upgraded one, for its owner alone", async () => {
    const { path, copy } = await olderDatabase();
    const schema = schemaOf(path);
    upgrade(path);
    expect([schemaOf(path), schemaOf(copy)]).toEqual([schema + 1, schema]);
    expect(statSync(copy).mode & 0o077).toBe(0);
  });

  test("is not copied when BACKUP_BEFORE_UPGRADE is false, nor when it has the newest schema", async () => {
    const { path, copy } = await olderDatabase();
    upgrade(path, false);
    upgrade(path);
    expect(existsSync(copy)).toBe(false);
  });

  test.skipIf(process.getuid?.() === 0)("is left alone when no copy can be kept (not as root)", async () => {
    const { directory, path } = await olderDatabase();
    const schema = schemaOf(path);
    await chmod(directory, 0o500);
    expect(() => upgrade(path)).toThrow();
    await chmod(directory, 0o700);
    expect(schemaOf(path)).toBe(schema);
  });

  test("goes back to the kept copy, and each gate that was closed since is named", async () => {
    const { directory, path, copy } = await olderDatabase();
    const environment = { PORT: "0", DATABASE_URL: path };
    upgrade(path);
    // What the later version did before its end: it closed the gate.
    const later = openDatabase(path, [...MIGRATIONS, ""]);
    later.exec(`UPDATE counters SET value = value + 1 WHERE name = 'policy';
      INSERT INTO access_changes SELECT tenant, value, 'assistant', 'reading', 1, 0, 'admin', '' FROM counters WHERE name = 'policy';
      UPDATE access SET allowed = 0 WHERE agent_id = 'assistant' AND namespace = 'reading'`);
    later.close();

    const restored = await runCommand("restore", [copy, "--replace"], environment);
    expect(restored).toMatchObject({ code: 0, out: `${JSON.stringify({ ...READER, allowed: false })}\n` });
    expect(existsSync(`${path}-wal`)).toBe(false);
    const service = serviceProcessForTest(directory, environment);
    await service.ready();
    await service.kill("SIGTERM");
  });
});

describe("an SQLite file of another layout", () => {
  async function otherLayout() {
    const { directory, path } = await olderDatabase();
    const database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 25");
    database.close();
    return { directory, path };
  }

  test("stops the start, with a sentence that says what to do", async () => {
    const { directory, path } = await otherLayout();
    const service = serviceProcessForTest(directory, { PORT: "0", DATABASE_URL: path });
    expect((await service.exited).code).toBe(1);
    expect(service.out() + service.err()).toMatch(/Export it with the version that wrote it .*, or start anew/);
  });

  test.for([
    ["fsck"],
    ["prune", "--before", "2026-01-01", "--dry-run"],
    ["keys", "create", "--name", "ops", "--role", "admin"],
  ])("is refused by %s, which changes nothing", async ([name = "", ...args]) => {
    const { path } = await otherLayout();
    const refused = await runCommand(name, args, { DATABASE_URL: path });
    expect(refused.code).toBeGreaterThan(0);
    expect(refused.err).toContain("cannot read");
    expect(schemaOf(path)).toBe(25);
  });
});
