// One service a file. The fence of records/sqlite lives in the process, so a second service on the same file would not
// be held by it. Programs that only look, or renew blobs, may come and go.
import { realpathSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { PortcullisError } from "#core/errors.ts";

/** Takes the right to serve this database, which is open, by whatever path. The system takes it back when the process ends, however it ends. */
export function serveAlone(path: string): { release(): void } {
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
