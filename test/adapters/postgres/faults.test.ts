// A database that ends sessions, restarts, crashes, or goes silent. The store reports it, loses no acknowledged write,
// and recovers by itself.
import { Client } from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { fenceLock } from "#adapters/records/postgres/connection/advisory-locks.ts";
import { postgresRecords } from "#adapters/records/postgres/postgres-records.ts";
import type { RecordStore } from "#ports.ts";
import { startPostgres } from "#test/support/postgres/server.ts";
import { readChanges } from "#test/support/read-changes.ts";
import { waitFor } from "#test/support/wait-for.ts";
import { databaseForTest, endSessions, memoryOf, STAMP, startProxy, storeForTest } from "./fixture.ts";

const UNAVAILABLE = { code: "records-unavailable" };
const RULE = { agentId: "x", namespace: "n", allowed: true };

async function contentsOf(records: RecordStore): Promise<Set<string>> {
  const { memories } = await records.memories.page({ limit: 100_000 });
  return new Set(memories.map(({ content }) => content));
}

/** Uses many parts of the store without a pause, until it is stopped. Every failure must be `records-unavailable`. */
function startWork(records: RecordStore) {
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
    () => records.policy.set({ ...RULE, allowed: n++ % 2 === 0 }, STAMP),
    () =>
      records.policy.passFence(
        { agentId: "x", policyVersion: -1, namespaces: ["n"], removals: 0, memoryIds: [] },
        () => undefined,
      ),
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
    /** Waits until this many more captures are acknowledged. */
    async progress(count: number) {
      const before = acknowledged.length;
      await waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + count));
    },
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

describe("when PostgreSQL fails, the store", () => {
  test("replaces sessions that the server ends, and loses no acknowledged write", async () => {
    const database = await databaseForTest();
    const records = await storeForTest(database.url);
    const work = startWork(records);
    for (let i = 0; i < 10; i += 1) {
      await work.progress(5);
      expect(await endSessions(database)).toBeGreaterThan(0);
    }
    await work.stop();
    await records.ping();
    const recorded = await contentsOf(records);
    expect(work.acknowledged.filter((content) => !recorded.has(content))).toEqual([]);
  });

  /** Has reads and writes wait for locks, ends their sessions, and says how many wait again. */
  async function endWhileWaiting(waitAgain: number, beforeEnd: () => void = () => undefined) {
    const database = await databaseForTest();
    const records = await storeForTest(database.url);
    const holder = new Client({ connectionString: database.url, application_name: "holder" });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query(`BEGIN; SET search_path = portcullis; SELECT pg_advisory_xact_lock(${fenceLock(1)});
      SELECT FROM counters WHERE name = 'memory' FOR UPDATE; LOCK TABLE access_changes, used_gates`);
    const reads = [records.reports.usedGates({ limit: 1 }), records.policy.changes({ limit: 1 })];
    const writes = [records.policy.set(RULE, STAMP), records.memories.add(memoryOf("a"))];
    const ended = Promise.all([Promise.allSettled(reads), Promise.allSettled(writes)]);
    const waiting = "datname = current_database() AND wait_event_type = 'Lock'";
    const count = async (expected: number) =>
      waitFor(async () =>
        expect(await database.run(`SELECT FROM pg_stat_activity WHERE ${waiting}`)).toHaveLength(expected),
      );
    await count(4);
    beforeEnd();
    await database.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> 'holder'`);
    await count(waitAgain);
    await holder.query("COMMIT");
    const [read, written] = await ended;
    return { records, read, written };
  }

  test("does again what reads, or has recorded nothing, when its session was ended", async () => {
    const { records, read, written } = await endWhileWaiting(4);
    expect(read).toMatchObject([{ value: [] }, { status: "fulfilled" }]);
    expect(written).toMatchObject([{ value: { version: 1 } }, { value: { content: "a" } }]);
    expect((await records.policy.changes({ limit: 10 })).changes).toHaveLength(1);
    expect(await contentsOf(records)).toEqual(new Set(["a"]));
  });

  test("writes nothing late: a process that stood still does not do again what it was asked long ago", async () => {
    const now = performance.now.bind(performance);
    const { records, read, written } = await endWhileWaiting(2, () => {
      const standingStill = vi.spyOn(performance, "now").mockImplementation(() => now() + 6_000);
      onTestFinished(() => standingStill.mockRestore());
    });
    expect(read).toMatchObject([{ value: [] }, { status: "fulfilled" }]);
    expect(written).toMatchObject([{ reason: UNAVAILABLE }, { reason: UNAVAILABLE }]);
    expect((await records.policy.changes({ limit: 10 })).changes).toEqual([]);
    expect(await contentsOf(records)).toEqual(new Set());
  });

  test("waits for the lock of a job in another session when its own was ended", async () => {
    const database = await databaseForTest();
    const [records, others] = [await storeForTest(database.url), await storeForTest(database.url)];
    const { promise: isDone, resolve: finish } = Promise.withResolvers<void>();
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    const held = others.locks.exclusively("anchoring", async () => {
      begin();
      await isDone;
    });
    await hasBegun;
    const waited = records.locks.exclusively("anchoring", async () => "ran");
    const waiting = "datname = current_database() AND wait_event_type = 'Lock'";
    const waiters = () => database.run(`SELECT pid FROM pg_stat_activity WHERE ${waiting}`);
    await waitFor(async () => expect(await waiters()).toHaveLength(1));
    const [before] = await waiters();
    await database.run(`SELECT pg_terminate_backend(${before?.pid})`);
    await waitFor(async () =>
      expect(await waiters()).toMatchObject([{ pid: expect.not.toSatisfy((pid) => pid === before?.pid) }]),
    );
    finish();
    await held;
    expect(await waited).toBe("ran");
  });

  test("replaces an idle session that the server ends", async () => {
    const database = await databaseForTest();
    const records = await storeForTest(database.url);
    await records.ping();
    expect(await endSessions(database)).toBe(1);
    await waitFor(() => records.ping());
  });

  test("recovers from a restart and from a crash without losing an acknowledged write, and listens again", async () => {
    const server = await startPostgres({ fsync: true });
    onTestFinished(server.stop);
    const { url } = await databaseForTest(server.url);
    const records = await storeForTest(url);
    const other = await storeForTest(url);
    let calls = 0;
    records.policy.onChange(() => {
      calls += 1;
    });
    const work = startWork(records);
    for (const interrupt of [() => server.restart(), () => server.kill().then(server.start)]) {
      await work.progress(20);
      await interrupt();
      await waitFor(() => other.ping());
    }
    await work.progress(0);
    await work.stop();
    expect(work.failures()).toBeGreaterThan(0);

    const recorded = await contentsOf(other);
    expect(work.acknowledged.filter((content) => !recorded.has(content))).toEqual([]);
    const { changes } = await readChanges(other.changeFeed);
    expect(changes.map(({ sequence }) => sequence)).toEqual(changes.map((_, i) => i + 1));

    await waitFor(async () => {
      const before = calls;
      await other.policy.set({ ...RULE, agentId: crypto.randomUUID() }, STAMP);
      await waitFor(() => expect(calls).toBeGreaterThan(before));
    });
  });

  test("can be closed while the server is down, and then rejects every call", async () => {
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
      records.policy.passFence(
        { agentId: "a", policyVersion: 0, namespaces: [], removals: 0, memoryIds: [] },
        () => undefined,
      ),
    ).rejects.toMatchObject(UNAVAILABLE);
  });

  test("can be closed while the server is silent, and the calls under way reject", async () => {
    const { url } = await databaseForTest();
    const proxy = await startProxy(new URL(url));
    const records = await postgresRecords({ url: Object.assign(new URL(url), { port: String(proxy.port) }).href });
    await records.ping();
    proxy.silence();
    const calls = [
      records.memories.add(memoryOf("a")),
      records.ping(),
      records.policy.set(RULE, STAMP),
      records.policy.passFence(
        { agentId: "x", policyVersion: 0, namespaces: [], removals: 0, memoryIds: [] },
        () => undefined,
      ),
      records.locks.exclusively("anchoring", () => Promise.resolve()),
    ];
    const settled = Promise.allSettled(calls);
    await records.close();
    for (const result of await settled) expect(result).toMatchObject({ status: "rejected", reason: UNAVAILABLE });
  });
});
