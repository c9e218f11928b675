// A database that ends sessions, stops, dies, or goes silent. The store says so, loses nothing that it acknowledged,
// and goes on by itself when the database is back.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Socket, connect as tcpConnect } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { postgresRecords } from "#adapters/records/postgres/index.ts";
import type { RecordStore } from "#ports.ts";
import { startPostgres } from "#test/support/postgres/server.ts";
import { databaseForTest, endSessions, memoryOf, STAMP, storeForTest } from "./fixture.ts";

const UNAVAILABLE = { code: "records-unavailable" };
const open = { agentId: "x", namespace: "n", allowed: true };

async function allOf(records: RecordStore): Promise<string[]> {
  const { memories } = await records.memories.page({ limit: 100_000 });
  return memories.map(({ content }) => content);
}

/** Does everything again and again until told to stop. What fails must say that the database does not answer. */
function busy(records: RecordStore) {
  const acknowledged: string[] = [];
  let failures = 0;
  let isOver = false;
  let n = 0;
  const jobs: (() => Promise<unknown>)[] = [
    async () => {
      const content = String(n++);
      await records.memories.add(memoryOf(content));
      acknowledged.push(content);
    },
    () => records.changeFeed.since({ position: 0, policyVersion: 0 }),
    () => records.policy.set({ ...open, allowed: n++ % 2 === 0 }, STAMP),
    () => records.policy.passFence({ agentId: "x", policyVersion: -1, namespaces: ["n"] }, () => undefined),
    () => records.locks.exclusively("anchoring", () => Promise.resolve()),
    () => records.policy.changes({ limit: 3 }),
  ];
  const loops = jobs.map(async (job) => {
    while (!isOver) {
      await job().catch((error) => {
        expect(error).toMatchObject(UNAVAILABLE);
        failures += 1;
        return new Promise((resolve) => setImmediate(resolve));
      });
    }
  });
  return {
    acknowledged,
    failures: () => failures,
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

describe("when PostgreSQL fails", () => {
  it("ended sessions are replaced, and nothing that was acknowledged is lost", async () => {
    const database = await databaseForTest();
    const records = await storeForTest(database.url);
    const work = busy(records);
    for (let i = 0; i < 10; i += 1) {
      const before = work.acknowledged.length;
      await vi.waitFor(() => expect(work.acknowledged.length).toBeGreaterThan(before + 5));
      expect(await endSessions(database)).toBeGreaterThan(0);
    }
    await work.stop();
    await records.ping();
    const kept = new Set(await allOf(records));
    expect(work.acknowledged.filter((content) => !kept.has(content))).toEqual([]);
  });

  it("idle sessions may be ended without harm to the process", async () => {
    const database = await databaseForTest();
    const records = await storeForTest(database.url);
    await records.ping();
    expect(await endSessions(database)).toBe(1);
    await vi.waitFor(() => records.ping());
  });

  it("a restart and a crash are survived, with everything that was acknowledged, and listeners hear again", async () => {
    const server = await startPostgres({ fsync: true });
    onTestFinished(server.stop);
    const { url } = await databaseForTest(server.url);
    const records = await storeForTest(url);
    const other = await storeForTest(url);
    let told = 0;
    records.policy.onChange(() => {
      told += 1;
    });
    const work = busy(records);
    for (const interrupt of [() => server.restart(), () => server.kill().then(server.start)]) {
      const before = work.acknowledged.length;
      await vi.waitFor(() => expect(work.acknowledged.length).toBeGreaterThan(before + 20));
      await interrupt();
      await vi.waitFor(() => other.ping(), { timeout: 10_000 });
    }
    const before = work.acknowledged.length;
    await vi.waitFor(() => expect(work.acknowledged.length).toBeGreaterThan(before), { timeout: 10_000 });
    await work.stop();
    expect(work.failures()).toBeGreaterThan(0);

    const kept = new Set(await allOf(other));
    expect(work.acknowledged.filter((content) => !kept.has(content))).toEqual([]);
    const { changes } = await other.changeFeed.since({ position: 0, policyVersion: 0 });
    expect(changes.map(({ sequence }) => sequence)).toEqual(changes.map((_, i) => i + 1));

    await vi.waitFor(
      async () => {
        const so = told;
        await other.policy.set({ ...open, agentId: crypto.randomUUID() }, STAMP);
        await vi.waitFor(() => expect(told).toBeGreaterThan(so));
      },
      { timeout: 15_000 },
    );
  });

  it("a store without a database is closed at once, and says so afterwards", async () => {
    const server = await startPostgres();
    onTestFinished(server.stop);
    const records = await postgresRecords({ url: server.url });
    records.policy.onChange(() => undefined);
    await server.kill();
    await expect(records.ping()).rejects.toMatchObject(UNAVAILABLE);
    await records.close();
    await expect(records.ping()).rejects.toMatchObject(UNAVAILABLE);
    await expect(records.memories.add(memoryOf("late"))).rejects.toMatchObject(UNAVAILABLE);
    await expect(
      records.policy.passFence({ agentId: "a", policyVersion: 0, namespaces: [] }, () => undefined),
    ).rejects.toMatchObject(UNAVAILABLE);
  });

  it("a store whose database has gone silent can be closed, and what it waits for fails", async () => {
    const { url } = await databaseForTest();
    const proxy = await silenceable(new URL(url));
    const records = await postgresRecords({ url: Object.assign(new URL(url), { port: String(proxy.port) }).href });
    await records.ping();
    proxy.silence();
    const waiting = [
      records.memories.add(memoryOf("a")),
      records.ping(),
      records.policy.set(open, STAMP),
      records.policy.passFence({ agentId: "x", policyVersion: 0, namespaces: [] }, () => undefined),
      records.locks.exclusively("anchoring", () => Promise.resolve()),
    ];
    const ended = Promise.allSettled(waiting);
    await records.close();
    for (const result of await ended) expect(result).toMatchObject({ status: "rejected", reason: UNAVAILABLE });
  });
});

/** Stands between the store and the server, and can stop passing anything on, without closing a connection. */
async function silenceable({ hostname, port }: URL) {
  const sockets: Socket[] = [];
  let isSilent = false;
  const server = createServer((near) => {
    const far = tcpConnect(Number(port), hostname);
    sockets.push(near, far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("error", () => undefined);
      from.on("close", () => to.destroy());
      from.on("data", (bytes) => {
        if (!isSilent) to.write(bytes);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      isSilent = true;
    },
  };
}
