// The ways in which the fence's lock can fail: it comes too late, it is lost, or an action outlasts the server's timeout.
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { FENCE_SESSIONS, fenceLock } from "#adapters/records/postgres/connection/advisory-locks.ts";
import { connectTo } from "#adapters/records/postgres/connection/database.ts";
import type { Timeouts } from "#adapters/records/postgres/connection/settings.ts";
import { FENCE_TIMEOUTS, fenceSessions, MAX_BATCHES } from "#adapters/records/postgres/fence/fence-sessions.ts";
import { createPassages } from "#adapters/records/postgres/fence/postgres-fence.ts";
import { startTimer } from "#async/with-deadline.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import type { TestDatabase } from "#test/support/postgres/databases.ts";
import { waitFor } from "#test/support/wait-for.ts";
import {
  endSessionsHoldingLocks,
  endSessionsWaitingForLocks,
  STAMP,
  startProxy,
  storeForTest,
  waitingForLocks,
} from "./fixture.ts";

async function prepare(timeouts: Partial<Timeouts> = FENCE_TIMEOUTS) {
  const database = await databaseForTest();
  const records = await storeForTest(database.url);
  const { version } = await records.policy.set({ agentId: "x", namespace: "n", allowed: true }, STAMP);
  const connections = connectTo(database.url, 1);
  onTestFinished(() => connections.close());
  const readSet = { agentId: "x", policyVersion: version, namespaces: ["n"], removals: 0, memoryIds: [] };
  const sessions = fenceSessions(connections, timeouts);
  return { database, records, readSet, sessions, control: connections.pool(1) };
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
const sessionsOf = ({ run }: TestDatabase) => run("SELECT id FROM portcullis.fence_sessions");
const sleeping = ({ run }: TestDatabase) =>
  run("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'");

/** A timer that reads this clock alone. */
const timerOf = (clock: () => number) => () => startTimer([clock]);

describe("the fence", () => {
  test("takes the lock again when the lock came too late to be trusted", async () => {
    const { sessions, readSet, records } = await prepare();
    const acquired = vi.fn();
    sessions.pool.on("acquire", acquired);
    let time = 0;
    // How far the clock moves at each reading: too far in the first try, and not in the second.
    const steps = [0, 2_000, 0, 1_999];
    const fence = createPassages(sessions, { timer: timerOf(() => (time += steps.shift() ?? 0)) })(1);
    const action = vi.fn();
    expect(await fence.pass(readSet, action)).toBe(true);
    expect(action).toHaveBeenCalledOnce();
    expect(acquired).toHaveBeenCalledTimes(2);
    // The lock of the first try is released: this would wait for it.
    await records.policy.set({ agentId: "x", namespace: "n", allowed: false }, STAMP);
  });

  test("looks the rules up when the version of the read set means another policy by now", async () => {
    const { sessions, readSet } = await prepare();
    const fence = createPassages(sessions)(1);
    const other = { ...readSet, policyDigest: "0".repeat(64) };
    const action = vi.fn();
    expect(await fence.pass({ ...other, namespaces: ["m"] }, action)).toBe(false);
    expect(action).not.toHaveBeenCalled();
    expect(await fence.pass(other, action)).toBe(true);
  });

  test("rejects without running the action when the lock comes too late in every try", async () => {
    const { sessions, readSet } = await prepare();
    let time = 0;
    const fence = createPassages(sessions, { timer: timerOf(() => (time += 2_000)) })(1);
    const action = vi.fn();
    await expect(fence.pass(readSet, action)).rejects.toMatchObject({ code: "records-unavailable" });
    expect(action).not.toHaveBeenCalled();
  });

  test("begins no action of a batch after one that kept the process busy for too long", async () => {
    const { sessions, readSet } = await prepare();
    let time = 0;
    const fence = createPassages(sessions, { timer: timerOf(() => time) })(1);
    const order: string[] = [];
    const first = fence.pass(readSet, () => new Promise((resolve) => setImmediate(resolve)));
    const both = ["busy", "next"].map((name) =>
      fence.pass(readSet, () => {
        order.push(name);
        time += 5_000;
      }),
    );
    const acquired = vi.fn();
    sessions.pool.on("acquire", acquired);
    expect(await Promise.all([first, ...both])).toEqual([true, true, true]);
    expect(order).toEqual(["busy", "next"]);
    expect(acquired.mock.calls.length).toBeGreaterThanOrEqual(2);
  });

  test("tells an action that stood still in its first turn, before anything else runs", async () => {
    const { sessions, readSet } = await prepare();
    let time = 0;
    const fence = createPassages(sessions, { timer: timerOf(() => time) })(1);
    let isTold: boolean | undefined;
    const acting = fence.pass(readSet, async (signal) => {
      // As a process that is stopped: its timers are due when it goes on.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      time += 2_000;
      await delay(0);
      isTold = signal.aborted;
    });
    await acting.catch(() => undefined);
    expect(isTold).toBe(true);
  });

  test("takes another connection when one is lost while it waits for the lock", async () => {
    const { database, sessions, control, readSet } = await prepare();
    const holder = await control.connect();
    await holder.query(`SELECT pg_advisory_lock(${fenceLock(1)})`);
    const action = vi.fn();
    const passing = createPassages(sessions)(1).pass(readSet, action);
    await waitFor(async () => expect(await waitingForLocks(database)).toBe(1));
    await endSessionsWaitingForLocks(database);
    await waitFor(async () => expect(await waitingForLocks(database)).toBe(1));
    await holder.query(`SELECT pg_advisory_unlock(${fenceLock(1)})`);
    holder.release();
    expect(await passing).toBe(true);
    expect(action).toHaveBeenCalledOnce();
  });

  test("rejects without running the action when the connection is lost in every try", async () => {
    const { database, sessions, control, readSet } = await prepare();
    const holder = await control.connect();
    await holder.query(`SELECT pg_advisory_lock(${fenceLock(1)})`);
    const action = vi.fn();
    const outcome = createPassages(sessions)(1)
      .pass(readSet, action)
      .catch((error) => error);
    // One try for each session that may be lost, and another.
    for (let left = MAX_BATCHES; left >= 0; left -= 1) {
      await waitFor(async () => expect(await endSessionsWaitingForLocks(database)).toBe(1));
      await waitFor(async () => expect(await waitingForLocks(database)).toBe(Math.min(left, 1)));
    }
    expect(await outcome).toMatchObject({ code: "records-unavailable" });
    expect(action).not.toHaveBeenCalled();
    holder.release(true);
  });

  test("keeps the lock while an action runs, and loses it when the process stands still", async () => {
    const { database, sessions, records, readSet } = await prepare({ idleMs: 1_000 });
    const oldTransactions = () =>
      database.run(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'
         AND now() - xact_start > interval '1500 ms'`,
      );
    const end = Promise.withResolvers<void>();
    const acting = createPassages(sessions, { keepAliveMs: 50 })(1).pass(readSet, () => end.promise);
    await waitFor(async () => expect(await oldTransactions()).toHaveLength(1));
    const revoking = records.policy.set({ agentId: "x", namespace: "n", allowed: false }, STAMP);
    await waitFor(async () => expect(await waitingForLocks(database)).toBe(1));
    end.resolve();
    expect(await acting).toBe(true);
    await revoking;

    const current = { ...readSet, policyVersion: (await records.policy.current()).version };
    // By its own clock it did not.
    const stopped = { keepAliveMs: 60_000, timer: timerOf(() => 0) };
    const stuck = createPassages(sessions, stopped)(1).pass(current, untilAborted);
    const rejected = expect(stuck).rejects.toMatchObject({ code: "records-unavailable" });
    // The server ends a transaction that stands still, so the change of the policy goes through.
    await records.policy.set({ agentId: "x", namespace: "n", allowed: true }, STAMP);
    await rejected;
  });

  test("tells an action when its session is lost, and a change of the policy waits until the action has ended", async () => {
    const { database, sessions, records, readSet } = await prepare();
    const order: string[] = [];
    const lost = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const acting = createPassages(sessions)(1).pass(readSet, async (signal) => {
      const terminated = untilAborted(signal);
      await endSessionsHoldingLocks(database);
      await terminated;
      lost.resolve();
      await end.promise;
      order.push("ended");
    });
    const rejected = expect(acting).rejects.toMatchObject({ code: "records-unavailable" });
    await lost.promise;
    const revoking = records.policy.set({ agentId: "x", namespace: "n", allowed: false }, STAMP);
    const revoked = revoking.then(() => order.push("revoked"));
    // The revoke has the fence's lock, and waits for the action all the same.
    await waitFor(async () => expect(await sleeping(database)).toHaveLength(1));
    end.resolve();
    await Promise.all([rejected, revoked]);
    expect(order).toEqual(["ended", "revoked"]);
    expect(await sessionsOf(database)).toEqual([]);
  });

  test("lets a change of the policy pass when the process of a lost session says nothing", async () => {
    const { database, records } = await prepare();
    // Such a row is left by a process that was killed.
    await database.run("INSERT INTO portcullis.fence_sessions DEFAULT VALUES");
    const { version } = await records.policy.set({ agentId: "x", namespace: "n", allowed: false }, STAMP);
    expect(version).toBe(2);
    expect(await sessionsOf(database)).toEqual([]);
  });

  test("holds up no change of the policy for a session that is idle, or was ended in order", async () => {
    const { database, sessions, records, readSet } = await prepare();
    expect(await createPassages(sessions)(1).pass(readSet, () => undefined)).toBe(true);
    const [idle] = await sessionsOf(database);
    await records.policy.set({ agentId: "x", namespace: "n", allowed: false }, STAMP);
    // A session that is taken for lost would be gone now.
    expect(await sessionsOf(database)).toEqual([idle]);
    await sessions.close();
    expect(await sessionsOf(database)).toEqual([]);
  });

  test.for(["monotonic", "wall"])(
    "tells a running action when the machine was paused, by the %s clock",
    async (which) => {
      const { sessions, readSet } = await prepare();
      const time = { monotonic: 0, wall: 0 };
      const clocks = [() => time.monotonic, () => time.wall];
      const fence = createPassages(sessions, { timer: () => startTimer(clocks) })(1);
      const acting = fence.pass(readSet, async (signal) => {
        time[which as keyof typeof time] += 60_000;
        await untilAborted(signal);
        signal.throwIfAborted();
      });
      await expect(acting).rejects.toMatchObject({ code: "records-unavailable" });
    },
  );

  test.for([true, false])(
    "says after a pause whether an action ran that had nothing to send: the session lives, %s",
    async (lives) => {
      const { database, sessions, readSet } = await prepare();
      let time = 0;
      const fence = createPassages(sessions, { timer: timerOf(() => time), keepAliveMs: 120_000 })(1);
      const acting = fence.pass(readSet, async () => {
        time += 60_000;
        if (!lives) await endSessionsHoldingLocks(database);
      });
      if (lives) expect(await acting).toBe(true);
      else await expect(acting).rejects.toMatchObject({ code: "records-unavailable" });
    },
  );

  test("tells a running action when the database has gone silent, before the server can give up the session", async () => {
    const { database, readSet } = await prepare();
    const proxy = await startProxy(new URL(database.url));
    const connections = connectTo(Object.assign(new URL(database.url), { port: String(proxy.port) }).href, 1);
    onTestFinished(() => connections.close());
    const fence = createPassages(fenceSessions(connections))(1);
    let held: unknown[] = [];
    const acting = fence.pass(readSet, async (signal) => {
      proxy.silence();
      await untilAborted(signal);
      held = await database.run(`SELECT FROM pg_locks WHERE classid = ${FENCE_SESSIONS} AND mode = 'ExclusiveLock'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
    });
    await expect(acting).rejects.toMatchObject({ code: "records-unavailable" });
    // The server still held the lock then.
    expect(held).toHaveLength(1);
  });
});
