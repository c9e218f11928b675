// One SQLite connection, which reads and writes share. Every failure is reported as `records-unavailable`.
import type { DatabaseSync } from "node:sqlite";
import type { OnCommit } from "#adapters/records/shared/commit-observer.ts";
import { throwUnavailable } from "#adapters/records/shared/unavailable.ts";
import { groupCommit } from "./group-commit.ts";

export interface Connection {
  readonly database: DatabaseSync;
  /** Runs `job` at once. */
  read<T>(job: () => T): Promise<T>;
  /** The same, for one whose result is needed in the same turn. */
  readNow<T>(job: () => T): T;
  /** For use in `read`: the statements of `job` see one state, also while another process writes. */
  inSnapshot<T>(job: () => T): T;
  /** Runs `job` in the next commit, and answers when it is on disk. A job that throws undoes only itself. */
  write<T>(job: () => T): Promise<T>;
  /** Runs `job`, which writes on a connection of its own. Writes that arrive meanwhile wait for its end. */
  alone<T>(job: () => Promise<T>): Promise<T>;
  /** Commits what waits, and ends the connection. */
  close(): void;
}

export function createConnection(database: DatabaseSync, onCommit?: OnCommit): Connection {
  const commits = groupCommit(database, onCommit);
  const begin = database.prepare("BEGIN");
  const end = database.prepare("COMMIT");

  function readNow<T>(job: () => T): T {
    try {
      return job();
    } catch (error) {
      return throwUnavailable(error);
    }
  }

  return {
    database,

    read: async (job) => readNow(job),
    readNow,

    inSnapshot(job) {
      begin.run();
      try {
        return job();
      } finally {
        end.run();
      }
    },

    write: (job) => commits.write(job).catch(throwUnavailable),
    alone: (job) => commits.alone(job).catch(throwUnavailable),

    close() {
      commits.flush();
      database.close();
    },
  };
}
