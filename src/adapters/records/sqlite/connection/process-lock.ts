// Process lock: one service for each file. The fence of SQLite lives in the process, so it would not stop a second
// service on the same file. Programs that only read, or renew blobs, do not take the lock.
import { realpathSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { PortcullisError } from "#core/errors.ts";

/**
 * Takes the lock of an open database, whatever path names it. The operating system releases it when the process ends,
 * also after a crash.
 */
export function lockForServing(path: string): { release(): void } {
  if (path === ":memory:") return { release: () => undefined };
  const lock = new DatabaseSync(`${realpathSync(path)}-serving`);
  try {
    lock.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
  } catch (cause) {
    lock.close();
    throw new PortcullisError(
      "configuration",
      `Another process serves ${path}. Stop it, or set DATABASE_URL to another file, or to a PostgreSQL, which several may share.`,
      { cause },
    );
  }
  return { release: () => lock.close() };
}
