// What the service writes can be read by its owner alone, whatever the umask. A folder that cannot be written stops the
// start with a sentence that names it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, readdirSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { createClient } from "#contract/client/client.ts";
import { SERVICE_MAIN } from "#test/support/built-service.ts";
import { fetchWithoutKeepAlive } from "#test/support/fetch-without-keep-alive.ts";
import { directoryForTest } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";

/** The mode of everything in the folder, by its name. */
function modesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), (statSync(path).mode & 0o777).toString(8)];
    }),
  );
}

test("every file is for its owner alone, also with a umask of 0 in a folder that exists", async () => {
  const folder = await directoryForTest();
  const data = join(folder, "data");
  mkdirSync(data);
  chmodSync(data, 0o755);
  const environment = { DATABASE_URL: join(data, "p.db"), PORT: "0" };
  const service = serviceProcessForTest(folder, environment, { umask: 0 });
  const client = createClient({ baseUrl: await service.ready(), fetch: fetchWithoutKeepAlive });
  const { receipt } = await client.chat({ agentId: "assistant", query: "What is for dinner?" });
  await client.anchorOnChain({ receipt });
  const running = modesIn(data);
  expect(Object.keys(running)).toEqual(expect.arrayContaining(["p.db", "p.db-wal", "p.db-shm", "p.db.ledger-key"]));
  for (const [name, mode] of Object.entries(running)) expect([name, mode]).toEqual([name, "600"]);
});

test("folders that the service creates are for their owner alone", async () => {
  const folder = await directoryForTest();
  await sqliteRecords({ path: join(folder, "deep", "er", "p.db") }).close();
  expect(modesIn(folder)).toMatchObject({ deep: "700", "deep/er": "700", "deep/er/p.db": "600" });
});

test("files of an earlier version that others can read are made private", async () => {
  const folder = await directoryForTest();
  const path = join(folder, "p.db");
  await sqliteRecords({ path }).close();
  chmodSync(path, 0o644);
  const records = sqliteRecords({ path, serves: true });
  for (const [name, mode] of Object.entries(modesIn(folder))) expect([name, mode]).toEqual([name, "600"]);
  await records.close();
});

test("a file that is not ours is refused as it is: same mode, no lock beside it", async () => {
  const folder = await directoryForTest();
  const [text, other] = [join(folder, "README.md"), join(folder, "other.db")];
  writeFileSync(text, "# A manual\n");
  const database = new DatabaseSync(other);
  database.exec("CREATE TABLE theirs (x)");
  database.close();
  for (const path of [text, other]) {
    chmodSync(path, 0o644);
    expect(() => sqliteRecords({ path, serves: true })).toThrow("Set DATABASE_URL to another file");
    expect(() => sqliteRecords({ path, schemaChange: "none" })).toThrow("Set DATABASE_URL to another file");
  }
  expect(modesIn(folder)).toEqual({ "README.md": "644", "other.db": "644" });
  expect(() => sqliteRecords({ path: "/dev/full", schemaChange: "none" })).toThrow("cannot be opened");
});

const NOBODY = 65_534;

/** Starts the service as a user who is bound by modes. */
async function startUnprivileged(folder: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(process.execPath, [SERVICE_MAIN], { cwd: folder, env: { PORT: "0", ...environment }, ...user });
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect(code).toBe(1);
  return err;
}

/** Whether every user may enter the folders above: those in root's home are closed. */
function canBeReached(path: string): boolean {
  const folder = dirname(path);
  return folder === path || ((statSync(folder).mode & 0o001) !== 0 && canBeReached(folder));
}

test.runIf(process.platform !== "win32")(
  "a folder or a file that cannot be written is named at the start (needs a clone that others can enter, as root)",
  async (context) => {
    if (process.getuid?.() === 0 && ![process.execPath, SERVICE_MAIN].every(canBeReached)) context.skip();
    const folder = await directoryForTest();
    chmodSync(folder, 0o755);
    const data = join(folder, "data");
    mkdirSync(data);
    const path = join(data, "p.db");
    await sqliteRecords({ path }).close();
    if (process.getuid?.() === 0) for (const each of [data, path]) chownSync(each, NOBODY, NOBODY);
    chmodSync(path, 0o400);
    expect(await startUnprivileged(folder, { DATABASE_URL: path })).toBe(
      `portcullis: The database ${path} cannot be read and written by this user.\n`,
    );
    chmodSync(path, 0o600);
    chmodSync(data, 0o500);
    const sentence = `portcullis: The folder ${data} cannot be written by this user. The database and its log are kept there.\n`;
    expect(await startUnprivileged(folder, { DATABASE_URL: path })).toBe(sentence);
    mkdirSync(join(folder, ".env"));
    expect(await startUnprivileged(folder, { DATABASE_URL: path })).toMatch(
      /^portcullis: The file .*\.env must be a file .*\n$/,
    );
    rmdirSync(join(folder, ".env"));
    expect(await startUnprivileged(folder, { DATABASE_URL: join(data, "new.db") })).toBe(sentence);
    expect(await startUnprivileged(folder, { DATABASE_URL: join(data, "new", "new.db") })).toContain(
      "cannot be opened",
    );
    chmodSync(data, 0o700);
  },
);
