// The fence across processes, and the notifications of changes.
import { LOCKS } from "#adapters/records/postgres/connection/advisory-locks.ts";
import type { Database } from "#adapters/records/postgres/connection/database.ts";
import type { Fence, Fenced } from "#adapters/records/shared/policy/fence.ts";
import type { Statement } from "#adapters/records/shared/sql/database.ts";
import { createMutex } from "#async/semaphore.ts";
import { CHANNEL, listenToChanges } from "./change-listener.ts";
import { awaitLostSessions, fenceSessions } from "./fence-sessions.ts";
import { createPassage } from "./passage.ts";

/**
 * The writer's side of the fence. It waits until all running actions have ended, and PostgreSQL queues later actions behind
 * it. What the next statements read, nobody else changes.
 */
const lockPolicy: Statement = { text: `SELECT pg_advisory_xact_lock(${LOCKS.policy})`, values: [] };

/**
 * Before the first lock of a transaction that removes memories. A reset locks the memories before it takes the fence,
 * because it takes long, and other removals lock them behind the fence.
 */
const lockRemovals: Statement = { text: `SELECT pg_advisory_xact_lock(${LOCKS.removal})`, values: [] };

const notifyAll: Statement = { text: `SELECT pg_notify('${CHANNEL}', '')`, values: [] };

export function postgresFence(database: Database): Fence {
  const sessions = fenceSessions(database);
  const mutex = createMutex();
  const listeners: (() => void)[] = [];
  let listening: ReturnType<typeof listenToChanges> | undefined;

  function notify(): void {
    for (const listener of listeners) listener();
  }

  /** One at a time: each may wait long for the fence, and waiting ones must not take up all connections. */
  const alone =
    (first: readonly Statement[]): Fenced =>
    async (reads, decide, { before = [], ...options } = {}) => {
      const taken = [...first, ...before, lockPolicy, awaitLostSessions];
      let isChange = false;
      const outcome = await mutex("policy", () =>
        database.readThenWrite(
          [...taken, ...reads],
          (rows) => {
            const { statements, ...decided } = decide(rows.slice(taken.length));
            isChange = decided.isChange;
            return { statements: isChange ? [...statements, notifyAll] : statements, outcome: decided.outcome };
          },
          { ...options, isUrgent: true },
        ),
      );
      // Our own listeners learn of it here, also while notifications do not arrive.
      if (isChange) notify();
      return outcome;
    };
  const removal = alone([lockRemovals]);

  return {
    change: alone([]),
    // Across processes `lockRemovals` does the same as the mutex.
    removal: (reads, decide, options) => mutex("removal", () => removal(reads, decide, options)),
    pass: createPassage(sessions).pass,
    onChange(listener) {
      listeners.push(listener);
      listening ??= listenToChanges(database, notify);
    },
    async close() {
      listening?.close();
      await sessions.close();
    },
  };
}
