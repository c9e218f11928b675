// Group commit. A durable commit waits for the disk; the writes that arrive in one turn of the event loop share one.
import type { DatabaseSync } from "node:sqlite";

export interface Commits {
  /** Runs `job` in the next transaction and answers when it is on disk. A job that throws undoes only itself. */
  write<T>(job: () => T): Promise<T>;
  /** Commits what waits. */
  flush(): void;
}

interface Waiting {
  /** Does the work and says how to tell the caller once all is on disk. */
  run(): () => void;
  fail(error: unknown): void;
}

/** How long another process may hold the file, and how often it is asked. Asking, and not waiting, leaves time for reads. */
const PATIENCE_MS = 1_000;
const PAUSE_MS = 5;

export function groupCommits(database: DatabaseSync): Commits {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const savepoint = database.prepare("SAVEPOINT job");
  const release = database.prepare("RELEASE job");
  let waiting: Waiting[] = [];
  /** Since when the file is held by another process. */
  let heldSince: number | undefined;

  function runAlone({ run, fail }: Waiting): (() => void) | undefined {
    savepoint.run();
    try {
      const settle = run();
      release.run();
      return settle;
    } catch (error) {
      // Some errors (a full disk) end the whole transaction, and what was done in it for others is gone too.
      if (!database.isTransaction) throw error;
      database.exec("ROLLBACK TO job; RELEASE job");
      fail(error);
      return undefined;
    }
  }

  /** False when another process holds the file, and it is worth asking again. */
  function begun(): boolean {
    try {
      begin.run();
      heldSince = undefined;
      return true;
    } catch (error) {
      heldSince ??= performance.now();
      if (isBusy(error) && performance.now() - heldSince < PATIENCE_MS) return false;
      heldSince = undefined;
      throw error;
    }
  }

  function flush(): void {
    if (waiting.length === 0) return;
    let jobs: Waiting[] = [];
    try {
      if (!begun()) return void setTimeout(flush, PAUSE_MS);
      jobs = take();
      const settled = jobs.map(runAlone);
      commit.run();
      for (const settle of settled) settle?.();
    } catch (error) {
      if (database.isOpen && database.isTransaction) database.exec("ROLLBACK");
      for (const { fail } of jobs.length === 0 ? take() : jobs) fail(error);
    }
  }

  function take(): Waiting[] {
    const jobs = waiting;
    waiting = [];
    return jobs;
  }

  return {
    write<T>(job: () => T): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({
          run() {
            const result = job();
            return () => resolve(result);
          },
          fail: reject,
        });
      });
    },
    flush,
  };
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
