// The fence: a readers-writer lock across processes, by advisory locks of PostgreSQL. Actions share the lock. A change
// of the policy, or a removal of memories, takes it alone: it waits until every action has ended, in every process, and
// PostgreSQL queues later actions behind it, so that no stream of actions can starve a revoke. Each tenant has one lock for
// its whole policy, because it is held for about a millisecond.
//
// Actions pass in batches, because each batch costs a round trip and a connection: those that arrive while a batch waits
// for the lock share the next batch. A batch ends with its last action. When slow ones keep all places taken and others
// wait, the slow ones are told to end.
import { fenceLock, removalLock } from "#adapters/records/postgres/connection/advisory-locks.ts";
import type { Database } from "#adapters/records/postgres/connection/database.ts";
import { isLost } from "#adapters/records/postgres/connection/failures.ts";
import { unavailable } from "#adapters/records/shared/database/unavailable.ts";
import { FENCE_PATIENCE_MS, type Fence, type Fenced, othersAwait } from "#adapters/records/shared/policy/fence.ts";
import type { Statement } from "#adapters/records/shared/sql/database.ts";
import { createMutex } from "#async/semaphore.ts";
import type { PolicyRecords } from "#ports.ts";
import { CHANNEL, listenToChanges } from "./change-listener.ts";
import { type BatchOptions, type Passage, runBatch } from "./fence-batch.ts";
import { awaitLostSessions, type FenceSessions, fenceSessions, MAX_BATCHES } from "./fence-sessions.ts";

/** The writer's side: waits until all running actions have ended. PostgreSQL queues later actions behind it. */
const lockPolicy = (tenant: number): Statement => ({ text: `SELECT pg_advisory_xact_lock(${fenceLock(tenant)})` });

/** Before the first lock of a transaction that removes memories: some lock these behind the fence, a reset before. */
const lockRemovals = (tenant: number): Statement => ({ text: `SELECT pg_advisory_xact_lock(${removalLock(tenant)})` });

const notifyAll = (tenant: number): Statement => ({ text: "SELECT pg_notify($1, $2)", values: [CHANNEL, `${tenant}`] });

/** The fences of the tenants. They share connections. */
export function postgresFences(shared: Database) {
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
    of: (tenant: number, database: Database): Fence =>
      fenceOf(tenant, {
        database,
        pass: passageOf(tenant).pass,
        notify: () => notify(tenant),
        onChange: (listener) => listen(tenant, listener),
      }),
    forget: (tenant: number) => void listeners.delete(tenant),
    async close(): Promise<void> {
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
            const { statements, ...decided } = decide(rows.slice(taken.length) as never);
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

/** When one session of a process is ended, often all are, and each is found lost only when it is used. */
const MAX_TRIES = MAX_BATCHES + 1;
/** Of failures that are no loss of a session: a server that does not answer makes every try wait. */
const MAX_FAILURES = 2;

interface Line {
  waiting: Passage[];
  isEntering: boolean;
}

/** The places are for all tenants: those that wait take turns. */
export function createPassages(
  sessions: FenceSessions,
  options: BatchOptions = {},
): (tenant: number) => { readonly pass: PolicyRecords["passFence"] } {
  /** Of the tenants for which something waits or enters, the one that has waited longest first. */
  const lines = new Map<number, Line>();
  let batches = 0;
  const held = new Map<AbortController, number>();
  let isWatched = false;

  const isAnyoneWaiting = () => lines.values().some(({ waiting }) => waiting.length > 0);

  /** While all places are taken and others wait. */
  function hurrySlow(): void {
    isWatched = false;
    if (batches < MAX_BATCHES || !isAnyoneWaiting()) return;
    const slow = performance.now() - FENCE_PATIENCE_MS;
    for (const [hurry, since] of held) if (since <= slow) hurry.abort(othersAwait());
    watch();
  }

  function watch(): void {
    if (isWatched) return;
    isWatched = true;
    setTimeout(hurrySlow, FENCE_PATIENCE_MS).unref();
  }

  async function runOnce(tenant: number, batch: readonly Passage[], onEntered: () => void) {
    const hurry = new AbortController();
    const enter = () => {
      held.set(hurry, performance.now());
      onEntered();
    };
    try {
      return await runBatch(sessions, batch, { tenant, onEntered: enter, hurry: hurry.signal }, options);
    } finally {
      held.delete(hurry);
    }
  }

  async function runWithRetries(tenant: number, batch: readonly Passage[], onEntered: () => void): Promise<void> {
    let left = batch;
    let reason: unknown = new Error("The lock of the fence timed out repeatedly.");
    let failures = 0;
    for (let tries = 0; tries < MAX_TRIES && failures < MAX_FAILURES && left.length > 0; tries += 1) {
      try {
        left = await runOnce(tenant, left, onEntered);
      } catch (error) {
        reason = error;
        if (!isLost(error)) failures += 1;
      }
    }
    for (const { reject } of left) reject(unavailable(reason));
  }

  function startBatches(): void {
    if (batches >= MAX_BATCHES && isAnyoneWaiting()) watch();
    for (const [tenant, line] of lines) {
      if (batches >= MAX_BATCHES) return;
      if (!line.isEntering && line.waiting.length > 0) startBatch(tenant, line);
    }
  }

  function startBatch(tenant: number, line: Line): void {
    const batch = line.waiting;
    line.waiting = [];
    line.isEntering = true;
    batches += 1;
    // The next time it is the last in turn.
    lines.delete(tenant);
    lines.set(tenant, line);
    let hasEntered = false;
    const onEntered = () => {
      if (hasEntered) return;
      hasEntered = true;
      line.isEntering = false;
      if (line.waiting.length === 0) lines.delete(tenant);
      startBatches();
    };
    void runWithRetries(tenant, batch, onEntered).finally(() => {
      batches -= 1;
      onEntered();
      startBatches();
    });
  }

  return (tenant) => ({
    pass: (readSet, action) =>
      new Promise((resolve, reject) => {
        const line = lines.get(tenant) ?? { waiting: [], isEntering: false };
        lines.set(tenant, line);
        line.waiting.push({ readSet, action, resolve, reject });
        startBatches();
      }),
  });
}
