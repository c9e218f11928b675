// The ways in which the fence's lock can fail: it comes too late, it is lost, or an action outlasts the server's timeout.
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { LOCKS } from "#adapters/records/postgres/connection/advisory-locks.ts";
import { connectTo } from "#adapters/records/postgres/connection/database.ts";
import type { Timeouts } from "#adapters/records/postgres/connection/settings.ts";
import { createFence } from "#adapters/records/postgres/policy/fence.ts";
import { FENCE_TIMEOUTS } from "#adapters/records/postgres/policy/fence-batch.ts";
import {
  databaseForTest,
  endSessionsWaitingForLocks,
  eventually,
  STAMP,
  storeForTest,
  waitingForLocks,
} from "./fixture.ts";

async function prepare(timeouts: Partial<Timeouts> = FENCE_TIMEOUTS) {
  const database = await databaseForTest();
  const records = await storeForTest(database.url);
  const { version } = await records.policy.set({ agentId: "x", namespace: "n", allowed: true }, STAMP);
  const connections = connectTo(database.url, 1);
  onTestFinished(() => connections.close());
  const readSet = { agentId: "x", policyVersion: version, namespaces: ["n"] };
  return { database, records, readSet, pool: connections.pool(4, timeouts), control: connections.pool(1) };
}

describe("the fence", () => {
  test("takes the lock again when the lock came too late to be trusted", async () => {
    const { pool, readSet, records } = await prepare();
    const acquired = vi.fn();
    pool.on("acquire", acquired);
    let time = 0;
    // How far the clock moves at each reading: too far in the first try, and not in the second.
    const steps = [0, 2_000, 0, 1_999];
    const fence = createFence(pool, { now: () => (time += steps.shift() ?? 0) });
    const action = vi.fn();
    expect(await fence.pass(readSet, action)).toBe(true);
    expect(action).toHaveBeenCalledOnce();
    expect(acquired).toHaveBeenCalledTimes(2);
    // The lock of the first try is released: this would wait for it.
    await records.policy.set({ agentId: "x", namespace: "n", allowed: false }, STAMP);
  });

  test("rejects without running the action when the lock comes too late in every try", async () => {
    const { pool, readSet } = await prepare();
    let time = 0;
    const fence = createFence(pool, { now: () => (time += 2_000) });
    const action = vi.fn();
    await expect(fence.pass(readSet, action)).rejects.toMatchObject({ code: "records-unavailable" });
    expect(action).not.toHaveBeenCalled();
  });

  test("begins no action of a batch after one that kept the process busy for too long", async () => {
    const { pool, readSet } = await prepare();
    let time = 0;
    const fence = createFence(pool, { now: () => time });
    const order: string[] = [];
    const first = fence.pass(readSet, () => new Promise((resolve) => setImmediate(resolve)));
    const both = ["busy", "next"].map((name) =>
      fence.pass(readSet, () => {
        order.push(name);
        time += 5_000;
      }),
    );
    const acquired = vi.fn();
    pool.on("acquire", acquired);
    expect(await Promise.all([first, ...both])).toEqual([true, true, true]);
    expect(order).toEqual(["busy", "next"]);
    expect(acquired.mock.calls.length).toBeGreaterThanOrEqual(2);
  });

  test("takes another connection when one is lost while it waits for the lock", async () => {
    const { database, pool, control, readSet } = await prepare();
    const holder = await control.connect();
    await holder.query(`SELECT pg_advisory_lock(${LOCKS.policy})`);
    const action = vi.fn();
    const passing = createFence(pool).pass(readSet, action);
    await eventually(async () => expect(await waitingForLocks(database)).toBe(1));
    await endSessionsWaitingForLocks(database);
    await eventually(async () => expect(await waitingForLocks(database)).toBe(1));
    await holder.query(`SELECT pg_advisory_unlock(${LOCKS.policy})`);
    holder.release();
    expect(await passing).toBe(true);
    expect(action).toHaveBeenCalledOnce();
  });

  test("rejects without running the action when the connection is lost a second time", async () => {
    const { database, pool, control, readSet } = await prepare();
    const holder = await control.connect();
    await holder.query(`SELECT pg_advisory_lock(${LOCKS.policy})`);
    const action = vi.fn();
    const outcome = createFence(pool)
      .pass(readSet, action)
      .catch((error) => error);
    for (let i = 0; i < 2; i += 1) {
      await eventually(async () => expect(await endSessionsWaitingForLocks(database)).toBe(1));
      await eventually(async () => expect(await waitingForLocks(database)).toBe(1 - i));
    }
    expect(await outcome).toMatchObject({ code: "records-unavailable" });
    expect(action).not.toHaveBeenCalled();
    holder.release(true);
  });

  test("keeps the lock while an action runs, and loses it when the process stands still", async () => {
    const { database, pool, records, readSet } = await prepare({ idleMs: 200 });
    const oldTransactions = () =>
      database.run(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'
         AND now() - xact_start > interval '600 ms'`,
      );
    const end = Promise.withResolvers<void>();
    const acting = createFence(pool, { keepAliveMs: 50 }).pass(readSet, () => end.promise);
    await eventually(async () => expect(await oldTransactions()).toHaveLength(1));
    const revoking = records.policy.set({ agentId: "x", namespace: "n", allowed: false }, STAMP);
    await eventually(async () => expect(await waitingForLocks(database)).toBe(1));
    end.resolve();
    expect(await acting).toBe(true);
    await revoking;

    const never = Promise.withResolvers<void>();
    const current = { ...readSet, policyVersion: (await records.policy.current()).version };
    const stuck = createFence(pool, { keepAliveMs: 60_000 }).pass(current, () => never.promise);
    // The server ends a transaction that stands still, so the change of the policy goes through.
    await records.policy.set({ agentId: "x", namespace: "n", allowed: true }, STAMP);
    never.resolve();
    expect(await stuck).toBe(true);
  });
});
