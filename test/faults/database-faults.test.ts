// The database is down, restarted, locked or full. Routes that need it answer 503 and say when to ask again, the others
// go on, and the service recovers by itself.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import { fetchWithoutKeepAlive } from "#test/support/fetch-without-keep-alive.ts";
import { type PostgresServer, startPostgres } from "#test/support/postgres/server.ts";
import { send as get, post, problemEventIn } from "#test/support/send.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";
import { expectUnavailable } from "./expect-unavailable.ts";

const CHAT = { agentId: "assistant", query: "What about dinner?" };
const FACT = { namespace: "n", content: "something", sourceAgent: "s" };
const TIMEOUT = { timeout: 300_000 };

async function postgresForTest(): Promise<PostgresServer> {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  return server;
}

async function expectRecovery(url: string): Promise<void> {
  await expect.poll(async () => (await post(`${url}/api/chat`, CHAT)).status).toBe(200);
}

describe("PostgreSQL", () => {
  test("answers 503 while the database is down, and recovers by itself", TIMEOUT, async () => {
    const server = await postgresForTest();
    const { url, client } = await serviceForTest({ database: server.url });
    const { memory } = await client.capture(FACT);
    await server.kill();

    const paths = { "/api/chat": CHAT, "/api/companion": { query: "How am I?" }, "/api/memories": FACT };
    for (const [path, body] of Object.entries(paths)) expectUnavailable(await post(`${url}${path}`, body));
    const rule = { agentId: "assistant", namespace: "n", allowed: false };
    expectUnavailable(await post(`${url}/api/policy`, rule));
    const streamed = await post(`${url}/api/chat`, CHAT, { accept: "text/event-stream" });
    expect(problemEventIn(streamed)).toMatchObject({ status: 503, code: "records-unavailable" });
    expectUnavailable(await get(`${url}/readyz`));
    // These need no database.
    expect((await get(`${url}/livez`)).status).toBe(200);
    expect((await get(`${url}/openapi.json`)).status).toBe(200);
    // Whether a memory is forgotten, only the database knows.
    expect((await get(`${url}/v1/blobs/${memory.storeRef}`)).status).toBe(503);

    await server.start();
    await expectRecovery(url);
    expect((await get(`${url}/readyz`)).status).toBe(200);
    expect((await client.listMemories({ limit: 1 })).memories).toEqual([memory]);
  });

  test("answers 200 or 503 while the database restarts, and keeps what it acknowledged", TIMEOUT, async () => {
    const server = await postgresForTest();
    const { url, client } = await serviceForTest({ database: server.url });
    const acknowledged: string[] = [];
    let isOver = false;
    const load = Array.from({ length: 12 }, async (_, i) => {
      for (let n = 0; !isOver; n++) {
        const content = `fact ${i} ${n}`;
        const answer = await post(`${url}/api/memories`, { ...FACT, content });
        if (answer.status === 200) acknowledged.push(content);
        else expectUnavailable(answer);
      }
    });
    await expect.poll(() => acknowledged.length).toBeGreaterThan(50);
    await server.restart();
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 50);
    isOver = true;
    await Promise.all(load);
    const counts = new Map<string, number>();
    for (const { content } of (await client.listMemories()).memories) {
      counts.set(content, (counts.get(content) ?? 0) + 1);
    }
    expect(acknowledged.filter((content) => counts.get(content) !== 1)).toEqual([]);
  });

  test("answers 503 to a request that waits too long for a lock, and answers the others", TIMEOUT, async () => {
    const server = await postgresForTest();
    const { url } = await serviceForTest({ database: server.url });
    const other = new Client({ connectionString: server.url });
    await other.connect();
    await other.query("BEGIN; LOCK TABLE portcullis.receipts IN EXCLUSIVE MODE");
    const [chat, memories] = await Promise.all([post(`${url}/api/chat`, CHAT), get(`${url}/api/memories`)]);
    expectUnavailable(chat);
    expect(memories.status).toBe(200);
    await other.query("ROLLBACK");
    await other.end();
    await expectRecovery(url);
  });
});

describe.runIf(process.platform === "linux")("SQLite", () => {
  test("answers 503 while the disk is full, and recovers by itself", TIMEOUT, async () => {
    const folder = await directoryForTest();
    const environment = { DATABASE_URL: join(folder, "p.db"), PORT: "0" };
    const service = serviceProcessForTest(folder, environment, { limitsFiles: true });
    const url = await service.ready();
    const client = createClient({ baseUrl: url, fetch: fetchWithoutKeepAlive });
    const { memory: first } = await client.capture(FACT);
    expect((await post(`${url}/api/chat`, CHAT)).status).toBe(200);

    // When no file may grow, a write fails as on a full disk.
    limitFiles(service.pid, "0");
    expectUnavailable(await post(`${url}/api/memories`, { ...FACT, content: "x".repeat(8_000) }));
    expectUnavailable(await post(`${url}/api/chat`, CHAT));
    expect((await get(`${url}/livez`)).status).toBe(200);
    expect((await client.getPolicy()).version).toBeGreaterThan(0);
    expect((await client.listMemories({ limit: 1 })).memories).toEqual([first]);

    limitFiles(service.pid, "unlimited");
    await expectRecovery(url);
    const { memory: last } = await client.capture({ ...FACT, content: "after" });
    expect((await client.listMemories({ limit: 2 })).memories).toEqual([last, first]);
  });
});

/** Sets the soft limit only: a process may raise it again without privileges. */
function limitFiles(pid: number, bytes: string): void {
  const { status, stderr } = spawnSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`], { encoding: "utf8" });
  if (status !== 0) throw new Error(`prlimit: ${stderr}`);
}
