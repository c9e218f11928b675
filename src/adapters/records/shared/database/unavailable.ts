import { PortcullisError, storageFull } from "#core/errors.ts";

/** Whatever a database or the connection to it did, the services learn that the records are unavailable, or the disk full. */
export function unavailable(error: unknown): PortcullisError {
  if (error instanceof PortcullisError) return error;
  if (isDiskFull(error)) return storageFull(error);
  return new PortcullisError("records-unavailable", "The database does not answer. Try again shortly.", {
    cause: error,
  });
}

/** For `catch`. */
export function throwUnavailable(error: unknown): never {
  throw unavailable(error);
}

/** SQLITE_FULL, and SQLITE_IOERR_SHMSIZE: the index of the write-ahead log cannot grow. */
const SQLITE_FULL = new Set([13, 4874]);
/** The SQLSTATE `disk_full`. */
const POSTGRES_FULL = "53100";

function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error && SQLITE_FULL.has(Number(error.errcode))) return true;
  return "code" in error && (error.code === POSTGRES_FULL || error.code === "ENOSPC");
}
