// The files of an SQLite database are removed, replaced or overwritten while the service runs. Nothing is acknowledged
// that would be gone at the next start: the service stops answering, and says why.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { memory } from "#test/suites/records/samples.ts";
import { expectProblem } from "#test/support/bodies.ts";
import { send as get, post } from "#test/support/send.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";

const REVOKE = { agentId: "assistant", namespace: "health", allowed: false };
const CHAT = { agentId: "assistant", query: "What about dinner?" };

/** By another process, as an operator does it. To close a file here would end SQLite's own locks on it. */
function run(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
}

/** Another database of the same schema. */
async function otherDatabase(folder: string): Promise<string> {
  const path = join(folder, "other.db");
  await sqliteRecords({ path }).close();
  return path;
}

const LOSSES: readonly [what: string, lose: (database: string, folder: string) => Promise<void> | void][] = [
  ["the database is deleted", (database) => run("rm", database)],
  ["the database and its log are deleted", (database) => run("rm", database, `${database}-wal`, `${database}-shm`)],
  ["the folder is moved away", (_, folder) => run("mv", join(folder, "data"), join(folder, "elsewhere"))],
  ["the log is deleted", (database) => run("rm", `${database}-wal`)],
  ["the log's index is deleted", (database) => run("rm", `${database}-shm`)],
  [
    "another file is moved over the database",
    async (database, folder) => run("mv", await otherDatabase(folder), database),
  ],
  [
    "another file is copied over the database",
    async (database, folder) => run("cp", await otherDatabase(folder), database),
  ],
  [
    "a copy of the database itself is copied back",
    (database) => {
      run("cp", database, `${database}.copy`);
      run("touch", "-d", "1 minute ago", `${database}.copy`);
      run("cp", "-p", `${database}.copy`, database);
    },
  ],
];

describe.each(LOSSES)("when %s", (_, lose) => {
  test("a revoke is answered with 503 and its reason, readiness turns off, and nothing is answered any more", async () => {
    const folder = await directoryForTest();
    const database = join(folder, "data", "p.db");
    const losses: string[] = [];
    const service = await serviceForTest({
      database,
      overrides: { onStorageLost: ({ message }) => losses.push(message) },
    });
    const { url } = service;
    expect((await get(`${url}/readyz`)).status).toBe(200);
    await lose(database, folder);

    expectProblem(await post(`${url}/api/policy`, REVOKE), 503, "storage-lost");
    expectProblem(await get(`${url}/readyz`), 503, "storage-lost");
    expectProblem(await post(`${url}/api/chat`, CHAT), 503, "storage-lost");
    expectProblem(await get(`${url}/api/memories`), 503, "storage-lost");
    expect((await get(`${url}/livez`)).status).toBe(200);
    expect(losses).toEqual([expect.stringMatching(/while the service ran.*Stop it, restore the files/)]);
    const failures = service.logLines.filter((line) => line.includes("storage-lost"));
    expect(failures).toHaveLength(1);
  });
});

test("an answer is refused when the database was deleted, although nobody changed the policy", async () => {
  const folder = await directoryForTest();
  const database = join(folder, "p.db");
  const { url } = await serviceForTest({ database });
  run("rm", database);
  expectProblem(await post(`${url}/api/chat`, CHAT), 503, "storage-lost");
});

test("a loss is noticed although nobody asks anything", async () => {
  const folder = await directoryForTest();
  const database = join(folder, "p.db");
  const losses: unknown[] = [];
  await serviceForTest({ database, overrides: { onStorageLost: (error) => losses.push(error) } });
  run("rm", database);
  await expect.poll(() => losses.length).toBe(1);
});

test("a database that was recovered after a crash is guarded as well", async () => {
  const folder = await directoryForTest();
  const [crashed, path] = [join(folder, "crashed.db"), join(folder, "p.db")];
  const first = sqliteRecords({ path: crashed });
  await first.memories.add(memory(1));
  run("cp", crashed, path);
  run("cp", `${crashed}-wal`, `${path}-wal`);
  await first.close();
  const records = sqliteRecords({ path, serves: true });
  expect((await records.memories.counts()).byNamespace).toEqual(new Map([["n", 1]]));
  await records.ping();
  run("cp", await otherDatabase(folder), path);
  await expect(records.ping()).rejects.toMatchObject({ code: "storage-lost" });
  await records.close();
});

test("programs beside the service may write, and copy the log to the file", async () => {
  const folder = await directoryForTest();
  const path = join(folder, "p.db");
  const records = sqliteRecords({ path, serves: true });
  const beside = new DatabaseSync(path);
  beside.exec("CREATE TABLE notes (text TEXT)");
  const checkpoints = ["PASSIVE", "FULL", "RESTART", "TRUNCATE"];
  for (let i = 0; i < 40; i += 1) {
    await records.memories.add(memory(i));
    beside.prepare("INSERT INTO notes VALUES (?)").run("x".repeat(i * 500));
    if (i % 3 === 0) beside.exec(`PRAGMA wal_checkpoint(${checkpoints[i % 4]})`);
    await records.ping();
  }
  run(
    process.execPath,
    "-e",
    `new (require("node:sqlite").DatabaseSync)(${JSON.stringify(path)}).exec("PRAGMA wal_checkpoint(TRUNCATE); VACUUM")`,
  );
  await records.ping();
  run("chmod", "640", path);
  await records.ping();
  beside.close();
  await records.close();
});

describe("a service that is stopped after a loss", () => {
  async function startIn(folder: string) {
    const database = join(folder, "p.db");
    const service = serviceProcessForTest(folder, { DATABASE_URL: database, PORT: "0" });
    return { database, service, url: await service.ready() };
  }

  test("leaves a database that took its place as it is, and puts the log of the old one aside", async () => {
    const folder = await directoryForTest();
    const other = await otherDatabase(folder);
    const content = readFileSync(other);
    const { database, service, url } = await startIn(folder);
    renameSync(other, database);
    expectProblem(await post(`${url}/api/policy`, REVOKE), 503, "storage-lost");
    expect(await service.logged("the database file is gone")).toMatchObject({ level: 50 });
    expect((await service.kill("SIGTERM")).code).toBe(0);
    expect(readFileSync(database).equals(content)).toBe(true);
    expect(existsSync(`${database}-wal`)).toBe(false);
    expect(readdirSync(folder)).toContainEqual(expect.stringMatching(/^p\.db-wal\.replaced-\d+$/));
  });

  test("leaves the log of a deleted database, and the next start is refused until somebody decides", async () => {
    const folder = await directoryForTest();
    const { database, service, url } = await startIn(folder);
    rmSync(database);
    expectProblem(await post(`${url}/api/policy`, REVOKE), 503, "storage-lost");
    await service.kill("SIGTERM");
    expect(existsSync(`${database}-wal`)).toBe(true);
    const next = serviceProcessForTest(folder, { DATABASE_URL: database, PORT: "0" });
    expect((await next.exited).code).toBe(1);
    expect(next.err()).toMatch(/p\.db is missing, and its log .*p\.db-wal is there. Restore the database, or move/);
    expect(existsSync(`${database}-wal`)).toBe(true);
  });
});

test("the log of a deleted database is not emptied after a forgetting", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const path = join(await directoryForTest(), "p.db");
  const records = sqliteRecords({ path, serves: true });
  onTestFinished(() => records.close());
  await records.memories.add(memory(1));
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec("BEGIN; SELECT count(*) FROM memories");
  // The reader keeps the log from being emptied, so that it is tried again later.
  await records.memories.forget({ memoryIds: [memory(1).memoryId], cause: "forgotten" }, { by: "test", at: "" });
  // Others of this process may wait, too.
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  rmSync(path);
  reader.close();
  vi.advanceTimersByTime(60_000);
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
});
