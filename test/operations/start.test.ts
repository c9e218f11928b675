// Starting the process: if it cannot start, it prints one sentence without a stack, and exits with 1.
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { send } from "#test/support/send.ts";
import { directoryForTest } from "#test/support/service.ts";
import { type ServiceProcess, serviceProcessForTest } from "#test/support/service-process.ts";

async function expectRefusal(child: ServiceProcess, ...words: readonly (string | RegExp)[]): Promise<void> {
  expect(await child.exited).toEqual({ code: 1, signal: null });
  const lines = child.err().trimEnd().split("\n");
  expect(lines, child.err()).toHaveLength(1);
  expect(lines[0]).toMatch(/^portcullis: [\s\S]*[.?]$/);
  expect(child.err()).not.toMatch(/\bat .*:\d+|node:|Error:/);
  for (const word of words) expect(lines[0]).toMatch(word);
  expect(child.out()).not.toContain("ready");
}

test("does not start on a port in use, says so, and leaves the process on that port alone", async () => {
  const directory = await directoryForTest();
  const first = serviceProcessForTest(directory, { PORT: "0", DATABASE_URL: join(directory, "first.db") });
  const url = await first.ready();
  const { port } = new URL(url);
  const second = serviceProcessForTest(directory, { PORT: port, DATABASE_URL: join(directory, "second.db") });
  await expectRefusal(second, `Port ${port} on 127.0.0.1 is in use`, "Set PORT");
  expect((await send(`${url}/readyz`)).status).toBe(200);
});

describe("does not start with a wrong configuration", () => {
  test.for<[Record<string, string>, ...(string | RegExp)[]]>([
    [{ PORT: "eighty" }, /PORT must be a whole number/],
    [{ HOST: "0.0.0.0" }, "HOST=0.0.0.0", "ALLOW_UNAUTHENTICATED"],
    [{ BLOBSTORE_PUBLISHER: "http://p.test" }, "BLOBSTORE_AGGREGATOR", "both, or neither"],
    [{ BLOBSTORE_AGGREGATOR: "http://a.test" }, "BLOBSTORE_PUBLISHER", "both, or neither"],
    [{ LOG_LEVEL: "loud", RECALL_LIMIT: "0" }, "LOG_LEVEL", "RECALL_LIMIT"],
  ])("%o", async ([environment, ...words]) => {
    const directory = await directoryForTest();
    await expectRefusal(
      serviceProcessForTest(directory, { PORT: "0", DATABASE_URL: ":memory:", ...environment }),
      ...words,
    );
  });
});

describe("does not start with a database that it cannot use", () => {
  const UNUSABLE: Readonly<Record<string, (path: string) => unknown>> = {
    "a file that is not a database": (path) =>
      writeFile(path, "This is no database, but a text of some length.\n".repeat(50)),
    "another program's database": (path) => execute(path, "CREATE TABLE theirs (x)"),
    "a database of a newer version": (path) =>
      execute(path, "PRAGMA application_id = 0x506f7274; PRAGMA user_version = 9999"),
  };

  test.for(Object.entries(UNUSABLE))("%s", async ([, make]) => {
    const directory = await directoryForTest();
    const path = join(directory, "it.db");
    await make(path);
    await expectRefusal(serviceProcessForTest(directory, { PORT: "0", DATABASE_URL: path }), path);
  });

  test("a path below a file", async () => {
    const directory = await directoryForTest();
    await writeFile(join(directory, "file"), "");
    const path = join(directory, "file", "it.db");
    await expectRefusal(serviceProcessForTest(directory, { PORT: "0", DATABASE_URL: path }), path);
  });

  function execute(path: string, sql: string): void {
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
  }
});

test("starts with no configuration but the port, and keeps its data readable by its user alone", async () => {
  const directory = await directoryForTest();
  const child = serviceProcessForTest(directory, { PORT: "0" });
  const url = await child.ready();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await child.logged("ready")).toMatchObject({ level: 30, database: "data/portcullis.db", blobs: "memory" });
  expect((await send(`${url}/readyz`)).status).toBe(200);
  expect((await stat(join(directory, "data"))).mode & 0o077).toBe(0);
});

test("reads the file .env, and the environment takes precedence", async () => {
  const directory = await directoryForTest();
  await writeFile(join(directory, ".env"), "PORT=eighty\nDATABASE_URL=from-file.db\n");
  const child = serviceProcessForTest(directory, { PORT: "0" });
  await child.ready();
  expect(await child.logged("ready")).toMatchObject({ database: "from-file.db" });
});

test("with ALLOW_UNAUTHENTICATED it answers requests for any host name", async () => {
  const directory = await directoryForTest();
  const environment = { PORT: "0", HOST: "0.0.0.0", ALLOW_UNAUTHENTICATED: "true", DATABASE_URL: ":memory:" };
  const child = serviceProcessForTest(directory, environment);
  const { port } = new URL(await child.ready());
  const answer = await send(`http://127.0.0.1:${port}/api/policy`, { headers: { host: "portcullis.example.test" } });
  expect(answer.status).toBe(200);
});
