// Group commit: a durable commit waits for the disk, so the writes of one turn of the event loop share one.
import type { DatabaseSync } from "node:sqlite";
import type { OnCommit } from "#adapters/records/shared/sql/group-commit.ts";
import { createPacedTurns } from "#async/run-in-slices.ts";
import { tenantsServed } from "#async/tenants-served.ts";

interface Job {
  /** Does the work, perhaps again after it was undone. Answers with the function that resolves the caller's promise, for after the commit. */
  run(): () => void;
  fail(error: unknown): void;
  readonly tenant: number | undefined;
}

/** How long another process may hold the file before writes fail. */
const BUSY_TIMEOUT_MS = 1_000;
/** The pause between tries. Trying again, instead of waiting inside SQLite, leaves the process free for reads. */
const RETRY_MS = 5;
/** How long the writes of one commit may take while several tenants are served: others wait for their end. */
const SHARED_MS = 1;

/**
 * So many go on in a turn of the event loop while several tenants are served, so that others are heard between. With one, an
 * answer takes a fifth more processor time, since commits are shared by fewer; with three, turns are as long as without.
 */
const turnToGoOn = createPacedTurns(2);

interface CommitOptions {
  /** Runs after each commit. When it throws, the writes of that commit fail. */
  readonly beforeAcknowledging?: () => void;
  readonly onCommit?: OnCommit | undefined;
  /** Whether several tenants are served. */
  readonly isShared?: () => boolean;
  readonly now?: () => number;
}

export function createWriteQueue(database: DatabaseSync, options: CommitOptions = {}) {
  const { beforeAcknowledging, onCommit, isShared = tenantsServed.areSeveral } = options;
  const { now = () => performance.now() } = options;
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const savepoint = database.prepare("SAVEPOINT job");
  const release = database.prepare("RELEASE job");
  let waiting: Job[] = [];
  /** When the first try failed because another process holds the file. */
  let busySince: number | undefined;
  let isPaused = false;
  /** A job threw: until the next commit, each has a savepoint. */
  let isCareful = false;

  /**
   * Those of the first jobs, as many as have time. Undefined if one of several threw: then all is undone. A savepoint for
   * each would take a third of the time.
   */
  function runFirst(jobs: readonly Job[], endsAt: number): (() => void)[] | undefined {
    const resolvers: (() => void)[] = [];
    try {
      for (const { run } of jobs) {
        resolvers.push(run());
        if (now() >= endsAt) break;
      }
      return resolvers;
    } catch (error) {
      // Some errors (a full disk) end the whole transaction.
      if (jobs.length === 1 || !database.isTransaction) throw error;
      return undefined;
    }
  }

  function runInSavepoint({ run, fail }: Job): (() => void) | undefined {
    savepoint.run();
    try {
      const resolve = run();
      release.run();
      return resolve;
    } catch (error) {
      if (!database.isTransaction) throw error;
      database.exec("ROLLBACK TO job; RELEASE job");
      fail(error);
      return undefined;
    }
  }

  /** False when another process holds the file and the timeout has not passed. */
  function hasBegun(): boolean {
    try {
      begin.run();
      busySince = undefined;
      return true;
    } catch (error) {
      busySince ??= now();
      if (isBusy(error) && now() - busySince < BUSY_TIMEOUT_MS) return false;
      busySince = undefined;
      throw error;
    }
  }

  /** `isSpread`: over turns of the event loop. */
  function flush(take = takeAll, isSpread = isShared()): void {
    if (isPaused || waiting.length === 0) return;
    let jobs: Job[] = [];
    const began = now();
    try {
      if (!hasBegun()) return void setTimeout(() => flush(), RETRY_MS);
      jobs = take();
      const resolvers = isCareful
        ? jobs.map(runInSavepoint)
        : runFirst(jobs, isSpread ? began + SHARED_MS : Number.POSITIVE_INFINITY);
      if (resolvers === undefined) {
        database.exec("ROLLBACK");
        isCareful = true;
        waiting = jobs;
        flush(takeAll, isSpread);
        return;
      }
      const rest = jobs.splice(resolvers.length);
      if (rest.length > 0) setImmediate(() => flush());
      waiting.unshift(...rest);
      commit.run();
      isCareful = false;
      beforeAcknowledging?.();
      onCommit?.(jobs.length, (now() - began) / 1_000);
      for (const [i, resolve] of resolvers.entries())
        if (isSpread && resolve !== undefined) void turnToGoOn(jobs[i]?.tenant).then(resolve);
        else resolve?.();
    } catch (error) {
      isCareful = false;
      if (database.isOpen && database.isTransaction) database.exec("ROLLBACK");
      for (const { fail } of jobs.length === 0 ? takeAll() : jobs) fail(error);
    }
  }

  function takeAll(): Job[] {
    const jobs = isShared() ? inTurns(waiting) : waiting;
    waiting = [];
    return jobs;
  }

  return {
    /**
     * Runs `job` in the next transaction, and answers when it is on disk. A job that throws undoes only itself. Then the
     * others run twice, so a job must change nothing but the database.
     */
    write<T>(job: () => T, tenant?: number): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        if (waiting.length === 0) setImmediate(() => flush());
        waiting.push({
          run() {
            const result = job();
            return () => resolve(result);
          },
          fail: reject,
          tenant,
        });
      });
    },
    /** Runs `job`, which writes on another connection. Writes that arrive meanwhile wait for its end. */
    async alone<T>(job: () => Promise<T>): Promise<T> {
      isPaused = true;
      try {
        const result = await job();
        beforeAcknowledging?.();
        return result;
      } finally {
        isPaused = false;
        flush();
      }
    },
    flush: () => flush(takeAll, false),
    /** Commits at once what was written last, and nothing else. */
    flushLast: () => flush(() => waiting.splice(-1), false),
  };
}

/** Tenants take turns, and each keeps its order. */
function inTurns(jobs: readonly Job[]): Job[] {
  const counts = new Map<number | undefined, number>();
  const placed = jobs.map((job) => {
    const place = counts.get(job.tenant) ?? 0;
    counts.set(job.tenant, place + 1);
    return { job, place };
  });
  return placed.sort((a, b) => a.place - b.place).map(({ job }) => job);
}

const SQLITE_BUSY = 5;

/** Whether another process holds the lock that was asked for. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
