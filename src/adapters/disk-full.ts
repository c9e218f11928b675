/** SQLITE_FULL, and SQLITE_IOERR_SHMSIZE: the index of the write-ahead log cannot grow. */
const SQLITE_FULL = new Set([13, 4874]);
/** The SQLSTATE `disk_full`, and what a file system says. */
const FULL: ReadonlySet<unknown> = new Set(["53100", "ENOSPC", "EDQUOT"]);

/** Of a database, or of the file system. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error && SQLITE_FULL.has(Number(error.errcode))) return true;
  return "code" in error && FULL.has(error.code);
}
