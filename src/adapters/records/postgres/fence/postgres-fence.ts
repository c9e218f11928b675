// The fence across processes, and the notifications of changes.
import { fenceLock, removalLock } from "#adapters/records/postgres/connection/advisory-locks.ts";
import type { Database } from "#adapters/records/postgres/connection/database.ts";
import type { Fence, Fenced } from "#adapters/records/shared/policy/fence.ts";
import type { Statement } from "#adapters/records/shared/sql/database.ts";
import { createMutex } from "#async/semaphore.ts";
import { CHANNEL, listenToChanges } from "./change-listener.ts";
import { awaitLostSessions, fenceSessions } from "./fence-sessions.ts";
import { createPassages } from "./passage.ts";

/** The writer's side: waits until all running actions have ended. PostgreSQL queues later actions behind it. */
const lockPolicy = (tenant: number): Statement => ({ text: `SELECT pg_advisory_xact_lock(${fenceLock(tenant)})` });

/** Before the first lock of a transaction that removes memories: some lock these behind the fence, a reset before. */
const lockRemovals = (tenant: number): Statement => ({ text: `SELECT pg_advisory_xact_lock(${removalLock(tenant)})` });

const notifyAll = (tenant: number): Statement => ({ text: "SELECT pg_notify($1, $2)", values: [CHANNEL, `${tenant}`] });

/** The fences of the tenants. They share connections. */
export interface PostgresFences {
  /** `database` is that of the tenant. */
  of(tenant: number, database: Database): Fence;
  /** Tells the tenant's listeners nothing more. */
  forget(tenant: number): void;
  close(): Promise<void>;
}

export function postgresFences(shared: Database): PostgresFences {
  const sessions = fenceSessions(shared);
  const passageOf = createPassages(sessions);
  const listeners = new Map<number, (() => void)[]>();
  let listening: ReturnType<typeof listenToChanges> | undefined;

  function notify(tenant?: number): void {
    const told = tenant === undefined ? [...listeners.values()].flat() : (listeners.get(tenant) ?? []);
    for (const listener of told) listener();
  }

  function listen(tenant: number, listener: () => void): void {
    listeners.set(tenant, [...(listeners.get(tenant) ?? []), listener]);
    listening ??= listenToChanges(shared, notify);
  }

  return {
    of: (tenant, database) =>
      fenceOf(tenant, {
        database,
        pass: passageOf(tenant).pass,
        notify: () => notify(tenant),
        onChange: (listener) => listen(tenant, listener),
      }),
    forget: (tenant) => void listeners.delete(tenant),
    async close() {
      listening?.close();
      await sessions.close();
    },
  };
}

interface FenceParts extends Pick<Fence, "pass" | "onChange"> {
  readonly database: Database;
  readonly notify: () => void;
}

function fenceOf(tenant: number, { database, pass, notify, onChange }: FenceParts): Fence {
  const mutex = createMutex();

  /** One at a time: each may wait long for the fence, and waiting ones must not take up all connections. */
  const alone =
    (first: readonly Statement[]): Fenced =>
    async (reads, decide, { before = [], ...options } = {}) => {
      const taken = [...first, ...before, lockPolicy(tenant), awaitLostSessions];
      let isChange = false;
      const outcome = await mutex("policy", () =>
        database.readThenWrite(
          [...taken, ...reads],
          (rows) => {
            const { statements, ...decided } = decide(rows.slice(taken.length));
            isChange = decided.isChange;
            return { statements: isChange ? [...statements, notifyAll(tenant)] : statements, outcome: decided.outcome };
          },
          { ...options, isUrgent: true },
        ),
      );
      // Our own listeners learn of it here, also while notifications do not arrive.
      if (isChange) notify();
      return outcome;
    };
  const removal = alone([lockRemovals(tenant)]);

  return {
    change: alone([]),
    // Across processes `lockRemovals` does the same as the mutex.
    removal: (reads, decide, options) => mutex("removal", () => removal(reads, decide, options)),
    pass,
    onChange,
  };
}
