// The fence as a readers-writer lock in the process: process-lock.ts makes sure that no other process serves the file.
import { FENCE_PATIENCE_MS, type Fence, type Fenced, policyAwaits } from "#adapters/records/shared/policy/fence.ts";
import { type Counters, policyStatements } from "#adapters/records/shared/policy/policy-statements.ts";
import { statement } from "#adapters/records/shared/sql/dialect.ts";
import { createReadersWriterLock } from "#async/readers-writer-lock.ts";
import { createMutex } from "#async/semaphore.ts";
import { type FenceLookup, holds } from "#core/gate/read-set.ts";
import type { Connection } from "./connection/connection.ts";
import type { SqliteDatabase } from "./connection/sqlite-database.ts";

const RULE = statement<{ allowed: number }>`
  SELECT allowed FROM access WHERE tenant = $tenant AND agent_id = $1 AND namespace = $2`;

/** What all who take a tenant's fence must share. */
export type FenceLock = ReturnType<typeof createFenceLock>;

const createFenceLock = () => ({
  lock: createReadersWriterLock({ graceMs: FENCE_PATIENCE_MS, onAwaited: policyAwaits }),
  mutex: createMutex(),
});

/** The lock of each tenant, for as long as anything holds it: records that are closed and opened again share it. */
export function fenceLocks(): (tenant: number) => FenceLock {
  const locks = new Map<number, WeakRef<FenceLock>>();
  const unused = new FinalizationRegistry<number>((tenant) => {
    if (locks.get(tenant)?.deref() === undefined) locks.delete(tenant);
  });
  return (tenant) => {
    const known = locks.get(tenant)?.deref();
    if (known !== undefined) return known;
    const made = createFenceLock();
    locks.set(tenant, new WeakRef(made));
    unused.register(made, tenant);
    return made;
  };
}

export interface SqliteFence extends Fence {
  /** Runs `change`, which writes by itself, alone behind the fence. Then calls the listeners. */
  exclusively<T>(change: () => Promise<T>): Promise<T>;
}

export function sqliteFence(
  shared: FenceLock,
  { run, reserve }: SqliteDatabase,
  { readNow, commitNow }: Connection,
  counters: () => Counters,
  now: () => Date,
): SqliteFence {
  const listeners: (() => void)[] = [];
  const { onRecord } = policyStatements;
  const lookup: FenceLookup = {
    isAllowed: (agentId, namespace) => run(RULE(agentId, namespace))[0]?.allowed === 1,
    isOnRecord: (memoryId, orSuperseded) =>
      run(onRecord([memoryId])).some(([, isSuperseded]) => orSuperseded || !isSuperseded),
  };

  function notify(): void {
    for (const listener of listeners) listener();
  }

  const takenBy =
    (commit: () => void): Fenced =>
    async (reads, decide, { before = [] } = {}) => {
      let isChange = false;
      const outcome = await shared.lock.exclusive(() => {
        const written = reserve.readThenWrite([...before, ...reads], (rows) => {
          const plan = decide(rows.slice(before.length) as never);
          isChange = plan.isChange;
          return plan;
        });
        commit();
        return written;
      });
      if (isChange) notify();
      return outcome;
    };
  const removal = takenBy(() => undefined);

  return {
    // A revoke waits for nothing else that the event loop has to do in this turn.
    change: takenBy(commitNow),
    removal: (reads, decide, options) => shared.mutex("removal", () => removal(reads, decide, options)),
    async exclusively(job) {
      const result = await shared.lock.exclusive(job);
      notify();
      return result;
    },
    pass: (readSet, action) =>
      shared.lock.shared(async (awaited) => {
        const { policy, removal } = readNow(counters);
        const state = { policy, removal, now: readSet.expiresAt === undefined ? "" : now().toISOString() };
        if (!readNow(() => holds(readSet, state, lookup))) return false;
        // The lock is in this process, and nobody can take it away. So the signal says only that a change waits.
        await action(awaited);
        return true;
      }),
    onChange(listener) {
      listeners.push(listener);
    },
  };
}
