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

export function groupCommits(database: DatabaseSync): Commits {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const savepoint = database.prepare("SAVEPOINT job");
  const release = database.prepare("RELEASE job");
  let waiting: Waiting[] = [];

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

  function flush(): void {
    const jobs = waiting;
    waiting = [];
    if (jobs.length === 0) return;
    try {
      begin.run();
      const settled = jobs.map(runAlone);
      commit.run();
      for (const settle of settled) settle?.();
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      for (const { fail } of jobs) fail(error);
    }
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
