// One process serves an SQLite file, whatever somebody does to the files beside it, and by whichever path it is named.
import { existsSync, linkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { expectProblem } from "#test/support/bodies.ts";
import { send as get, post } from "#test/support/send.ts";
import { directoryForTest } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";

const REVOKE = { agentId: "assistant", namespace: "health", allowed: false };

async function startFirst(environment: Readonly<Record<string, string>> = {}) {
  const folder = await directoryForTest();
  const database = join(folder, "p.db");
  const first = serviceProcessForTest(folder, { DATABASE_URL: database, PORT: "0", ...environment });
  return { folder, database, first, url: await first.ready() };
}

async function expectRefusal(folder: string, database: string): Promise<void> {
  const second = serviceProcessForTest(folder, { DATABASE_URL: database, PORT: "0" });
  expect((await second.exited).code).toBe(1);
  expect(second.err()).toContain("Another process serves");
}

describe.runIf(["linux", "darwin"].includes(process.platform))("a second process is refused", () => {
  test("although the lock file was removed, and by every path to the database", async () => {
    const { folder, database, first, url } = await startFirst();
    rmSync(`${database}-serving`, { force: true });
    await expectRefusal(folder, database);

    const [symbolic, hard] = [join(folder, "symbolic.db"), join(folder, "hard.db")];
    symlinkSync(database, symbolic);
    linkSync(database, hard);
    rmSync(`${database}-serving`, { force: true });
    await expectRefusal(folder, symbolic);
    await expectRefusal(folder, hard);
    expect(existsSync(`${hard}-wal`)).toBe(false);
    rmSync(`${database}-serving`, { force: true });
    await expectRefusal(folder, `./${relative(folder, folder)}/${basename(database)}`);

    expect((await post(`${url}/api/policy`, REVOKE)).status).toBe(200);
    await first.kill("SIGKILL");
    const next = serviceProcessForTest(folder, { DATABASE_URL: database, PORT: "0" });
    await next.ready();
  });
});

test("a lock that fails for another reason than a second process is not blamed on one", async () => {
  const path = join(await directoryForTest(), "p.db");
  writeFileSync(`${path}-serving`, "no database, and longer than the header of one. ".repeat(10));
  expect(() => sqliteRecords({ path, serves: true })).toThrow(
    /The lock file .*-serving cannot be used \(file is not a/,
  );
});

test("where only a lock file can be had, the first process stops answering when somebody removes it", async () => {
  // Without the command flock(1).
  const { database, url } = await startFirst({ PATH: "/nowhere" });
  expect((await get(`${url}/readyz`)).status).toBe(200);
  rmSync(`${database}-serving`);
  expectProblem(await post(`${url}/api/policy`, REVOKE), 503, "storage-lost");
  expectProblem(await get(`${url}/readyz`), 503, "storage-lost");
});
