// What could go wrong with a lock: it comes too late, it is lost, or an act takes longer than the server waits.
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { connectTo } from "#adapters/records/postgres/database.ts";
import { createFence, FENCE_PATIENCE } from "#adapters/records/postgres/fence.ts";
import { LOCKS } from "#adapters/records/postgres/locks.ts";
import type { Patience } from "#adapters/records/postgres/settings.ts";
import { databaseForTest, STAMP, storeForTest, waitingForLocks } from "./fixture.ts";

async function world(patience: Partial<Patience> = FENCE_PATIENCE) {
  const database = await databaseForTest();
  const records = await storeForTest(database.url);
  const { version } = await records.policy.set({ agentId: "x", namespace: "n", allowed: true }, STAMP);
  const connections = connectTo(database.url, 1);
  onTestFinished(() => connections.close());
  const sight = { agentId: "x", policyVersion: version, namespaces: ["n"] };
  return { database, records, sight, pool: connections.poolOf(4, patience), control: connections.poolOf(1) };
}

describe("the fence", () => {
  it("asks for the lock again when it came too late to be trusted", async () => {
    const { pool, sight, records } = await world();
    const acquired = vi.fn();
    pool.on("acquire", acquired);
    let time = 0;
    // Every look at the clock finds it later: by too much at the first try, and not at the second.
    const steps = [0, 2_000, 0, 1_999];
    const fence = createFence(pool, { now: () => (time += steps.shift() ?? 0) });
    const act = vi.fn();
    expect(await fence.pass(sight, act)).toBe(true);
    expect(act).toHaveBeenCalledOnce();
    expect(acquired).toHaveBeenCalledTimes(2);
    // Nothing is left of the first.
    await records.policy.set({ agentId: "x", namespace: "n", allowed: false }, STAMP);
  });

  it("gives up when the lock comes too late again and again, and has not acted", async () => {
    const { pool, sight } = await world();
    let time = 0;
    const fence = createFence(pool, { now: () => (time += 2_000) });
    const act = vi.fn();
    await expect(fence.pass(sight, act)).rejects.toMatchObject({ code: "records-unavailable" });
    expect(act).not.toHaveBeenCalled();
  });

  it("begins no act after one that kept the process busy for too long", async () => {
    const { pool, sight } = await world();
    let time = 0;
    const fence = createFence(pool, { now: () => time });
    const order: string[] = [];
    const first = fence.pass(sight, () => new Promise((resolve) => setImmediate(resolve)));
    const both = ["busy", "next"].map((name) =>
      fence.pass(sight, () => {
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

  it("takes another connection when one is lost before the lock came", async () => {
    const { database, pool, control, sight } = await world();
    const holder = await control.connect();
    await holder.query(`SELECT pg_advisory_lock(${LOCKS.policy})`);
    const act = vi.fn();
    const passing = createFence(pool).pass(sight, act);
    await vi.waitFor(async () => expect(await waitingForLocks(database)).toBe(1));
    await database.run(
      `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON pg_database.oid = database
       WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`,
    );
    await vi.waitFor(async () => expect(await waitingForLocks(database)).toBe(1));
    await holder.query(`SELECT pg_advisory_unlock(${LOCKS.policy})`);
    holder.release();
    expect(await passing).toBe(true);
    expect(act).toHaveBeenCalledOnce();
  });

  it("does not act, and says so, when the connection is lost a second time", async () => {
    const { database, pool, control, sight } = await world();
    const holder = await control.connect();
    await holder.query(`SELECT pg_advisory_lock(${LOCKS.policy})`);
    const act = vi.fn();
    const ended = createFence(pool)
      .pass(sight, act)
      .catch((error) => error);
    for (let i = 0; i < 2; i += 1) {
      await vi.waitFor(async () => {
        const ended = await database.run(
          `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON pg_database.oid = database
           WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`,
        );
        expect(ended).toHaveLength(1);
      });
      await vi.waitFor(async () => expect(await waitingForLocks(database)).toBe(1 - i));
    }
    expect(await ended).toMatchObject({ code: "records-unavailable" });
    expect(act).not.toHaveBeenCalled();
    holder.release(true);
  });

  it("keeps the lock as long as an act takes, and loses it when the process stands still", async () => {
    const { database, pool, records, sight } = await world({ idleMs: 200 });
    const isOld = () =>
      database.run(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'
         AND now() - xact_start > interval '600 ms'`,
      );
    const end = Promise.withResolvers<void>();
    const acting = createFence(pool, { holdMs: 50 }).pass(sight, () => end.promise);
    await vi.waitFor(async () => expect(await isOld()).toHaveLength(1), { timeout: 5_000 });
    const revoking = records.policy.set({ agentId: "x", namespace: "n", allowed: false }, STAMP);
    await vi.waitFor(async () => expect(await waitingForLocks(database)).toBe(1));
    end.resolve();
    expect(await acting).toBe(true);
    await revoking;

    const never = Promise.withResolvers<void>();
    const open = { ...sight, policyVersion: (await records.policy.current()).version };
    const stuck = createFence(pool, { holdMs: 60_000 }).pass(open, () => never.promise);
    // The server ends a transaction that stands still, so the revoke is not held up for ever.
    await records.policy.set({ agentId: "x", namespace: "n", allowed: true }, STAMP);
    never.resolve();
    expect(await stuck).toBe(true);
  });
});
