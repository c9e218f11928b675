// The database gone and back, held by another, full: what needs it answers 503 and when to come again, the rest goes on,
// and when it is back all is well without anybody doing anything.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import { type PostgresServer, startPostgres } from "#test/support/postgres/server.ts";
import { type Answer, send as get, post } from "#test/support/send.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";
import { startChild } from "#test/support/service-process.ts";

const CHAT = { agentId: "assistant", query: "What about dinner?" };
const FACT = { namespace: "n", content: "something", sourceAgent: "s" };

function expectUnavailable(answer: Answer): void {
  expect(answer.status).toBe(503);
  expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  expect(JSON.parse(answer.text)).toMatchObject({ code: "records-unavailable" });
}

async function privateServer(): Promise<PostgresServer> {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  return server;
}

const answers = (url: string) =>
  expect.poll(async () => (await post(`${url}/api/chat`, CHAT)).status, { timeout: 30_000 });

describe("PostgreSQL", () => {
  test("gone and back", { timeout: 120_000 }, async () => {
    const server = await privateServer();
    const { url, client } = await serviceForTest({ database: server.url });
    const { memory } = await client.capture(FACT);
    await server.kill();

    const paths = { "/api/chat": CHAT, "/api/companion": { query: "How am I?" }, "/api/memories": FACT };
    for (const [path, body] of Object.entries(paths)) expectUnavailable(await post(`${url}${path}`, body));
    const rule = { agentId: "assistant", namespace: "n", allowed: false };
    expectUnavailable(await post(`${url}/api/policy`, rule));
    expectUnavailable(await post(`${url}/api/chat`, CHAT, { accept: "text/event-stream" }));
    expectUnavailable(await get(`${url}/readyz`));
    // What needs no database is there all the same.
    expect((await get(`${url}/livez`)).status).toBe(200);
    expect((await get(`${url}/openapi.json`)).status).toBe(200);
    expect((await get(`${url}/v1/blobs/${memory.storeRef}`)).status).toBe(200);

    await server.start();
    await answers(url).toBe(200);
    expect((await get(`${url}/readyz`)).status).toBe(200);
    expect((await client.listMemories({ limit: 1 })).memories).toEqual([memory]);
  });

  test("restarted under load: every answer is an answer or a 503, and what was acknowledged is there", {
    timeout: 120_000,
  }, async () => {
    const server = await privateServer();
    const { url, client } = await serviceForTest({ database: server.url });
    const acknowledged: string[] = [];
    let isOver = false;
    const load = Array.from({ length: 12 }, async (_, i) => {
      for (let n = 0; !isOver; n++) {
        const content = `fact ${i} ${n}`;
        const { status, text } = await post(`${url}/api/memories`, { ...FACT, content });
        if (status === 200) acknowledged.push(content);
        else expect([status, JSON.parse(text).code]).toEqual([503, "records-unavailable"]);
      }
    });
    await expect.poll(() => acknowledged.length).toBeGreaterThan(50);
    await server.restart();
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(before + 50);
    isOver = true;
    await Promise.all(load);
    const listed = (await client.listMemories()).memories.map(({ content }) => content);
    const times = new Map<string, number>();
    for (const content of listed) times.set(content, (times.get(content) ?? 0) + 1);
    expect(acknowledged.filter((content) => times.get(content) !== 1)).toEqual([]);
  });

  test("slow: what waits too long for it is told so, and reads go on", { timeout: 120_000 }, async () => {
    const server = await privateServer();
    const { url } = await serviceForTest({ database: server.url });
    const other = new Client({ connectionString: server.url });
    await other.connect();
    await other.query("BEGIN; LOCK TABLE portcullis.receipts IN EXCLUSIVE MODE");
    const [chat, memories] = await Promise.all([post(`${url}/api/chat`, CHAT), get(`${url}/api/memories`)]);
    expectUnavailable(chat);
    expect(memories.status).toBe(200);
    await other.query("ROLLBACK");
    await other.end();
    await answers(url).toBe(200);
  });
});

describe.runIf(process.platform === "linux")("SQLite", () => {
  test("full, and with room again", { timeout: 120_000 }, async () => {
    const folder = await directoryForTest();
    const child = startChild(folder, { DATABASE_URL: join(folder, "p.db"), PORT: "0" }, { limitsFiles: true });
    const url = await child.ready();
    const client = createClient({ baseUrl: url });
    const { memory: first } = await client.capture(FACT);
    const answered = (await post(`${url}/api/chat`, CHAT)).status;
    expect(answered).toBe(200);

    // No file may grow: what a write meets then is what it meets on a full disk.
    limitFiles(child.pid, "0");
    expectUnavailable(await post(`${url}/api/memories`, { ...FACT, content: "x".repeat(8_000) }));
    expectUnavailable(await post(`${url}/api/chat`, CHAT));
    expect((await get(`${url}/livez`)).status).toBe(200);
    expect((await client.getPolicy()).version).toBeGreaterThan(0);
    expect((await client.listMemories({ limit: 1 })).memories).toEqual([first]);

    limitFiles(child.pid, "unlimited");
    await answers(url).toBe(200);
    const { memory: last } = await client.capture({ ...FACT, content: "after" });
    expect((await client.listMemories({ limit: 2 })).memories).toEqual([last, first]);
  });
});

/** The soft limit alone, which anybody may raise again. */
function limitFiles(pid: number, bytes: string): void {
  const { status, stderr } = spawnSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`], { encoding: "utf8" });
  if (status !== 0) throw new Error(`prlimit: ${stderr}`);
}
