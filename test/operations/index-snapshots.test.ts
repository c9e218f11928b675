// Snapshots of the index, as the real process keeps them.
import { copyFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import { directoryForTest } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";

const LOADED = "loaded snapshots of the index";
const FAILED = "a snapshot of the index could not be read or written; the index is built from the records";
/** Enough for a snapshot when the process ends. */
const MANY = 600;

const start = (cwd: string) => serviceProcessForTest(cwd, { PORT: "0", DATABASE_URL: "memories.db" });

async function capture(url: string, namespace: string, word: string): Promise<void> {
  const facts = Array.from({ length: MANY }, (_, i) => ({ namespace, content: `${word} ${i}`, sourceAgent: "s" }));
  const body = facts.map((fact) => `${JSON.stringify(fact)}\n`).join("");
  const headers = { "content-type": "application/x-ndjson" };
  const response = await fetch(`${url}/api/memories/import`, { method: "POST", headers, body });
  expect((await response.text()).trim().split("\n").length).toBeGreaterThanOrEqual(MANY);
}

async function recalled(url: string, query: string): Promise<string[]> {
  const client = createClient({ baseUrl: url });
  await client.setAccess({ agentId: "a", namespace: "garden", allowed: true });
  return (await client.recall({ agentId: "a", query })).memories.map(({ content }) => content);
}

test("a process that is stopped writes them, and the next one loads them", async () => {
  const cwd = await directoryForTest();
  const first = start(cwd);
  const url = await first.ready();
  expect(await first.logged(LOADED)).toMatchObject({ namespaces: 0, memories: 0 });
  await capture(url, "garden", "hydrangea");
  const before = await recalled(url, "hydrangea 77");
  await first.kill("SIGTERM");
  expect(await readdir(join(cwd, "memories.db.index"))).toHaveLength(1);
  const second = start(cwd);
  expect(await recalled(await second.ready(), "hydrangea 77")).toEqual(before);
  expect(await second.logged(LOADED)).toMatchObject({ namespaces: 1, memories: MANY });
  expect(first.out() + second.out()).not.toMatch(/hydrangea|garden/);
});

test("a database that was restored from an earlier backup does not use those of its later life", async () => {
  const cwd = await directoryForTest();
  const first = start(cwd);
  await capture(await first.ready(), "garden", "hydrangea");
  await first.kill("SIGTERM");
  await copyFile(join(cwd, "memories.db"), join(cwd, "backup.db"));
  const second = start(cwd);
  await capture(await second.ready(), "garden", "lavender");
  await second.kill("SIGTERM");
  await copyFile(join(cwd, "backup.db"), join(cwd, "memories.db"));
  const third = start(cwd);
  const url = await third.ready();
  expect(await third.logged(LOADED)).toMatchObject({ namespaces: 0 });
  await capture(url, "garden", "rosemary");
  expect((await recalled(url, "rosemary 77"))[0]).toBe("rosemary 77");
  expect((await recalled(url, "lavender 77")).filter((content) => content.includes("lavender"))).toEqual([]);
});

test("a folder that cannot be used is logged, and the service works without", async () => {
  const cwd = await directoryForTest();
  // A file where the folder should be.
  await writeFile(join(cwd, "memories.db.index"), "");
  const service = start(cwd);
  const url = await service.ready();
  await service.logged(FAILED);
  await capture(url, "garden", "hydrangea");
  expect((await recalled(url, "hydrangea 77"))[0]).toBe("hydrangea 77");
  expect(await service.kill("SIGTERM")).toMatchObject({ code: 0 });
  expect(service.out().split(FAILED)).toHaveLength(2);
});
