// Process lock: one service for each file, because the fence of SQLite lives in the process. Programs that only read,
// or renew blobs, do not take it.
//
// There are two locks. That on a file beside the database, `…-serving`, works everywhere, but whoever removes the file
// lets a second process in. That on the database file itself, by its inode, is not got around by a removed file or
// another path. Where it cannot be had, the file guard makes sure that the file of the first stays (file-guard.ts).
import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync, realpathSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { isBusy } from "#adapters/records/sqlite/connection/write-queue.ts";
import { configurationError, type PortcullisError } from "#core/errors.ts";
import { preparePrivateFile } from "./private-files.ts";

export interface ProcessLock {
  /** The file whose removal would let another process in; absent when the database file itself is locked. */
  readonly lockFile?: string;
  /** To be called after the database was closed: POSIX locks end when any descriptor of their file is closed. */
  release(): void;
}

/** The databases that this process serves. An attempt to lock one again would end SQLite's own locks on it. */
const served = new Set<string>();

/** Takes the lock until the process ends. `check` gets the file before anything is created beside it. */
export function lockForServing(path: string, check: (file: string) => void = () => undefined): ProcessLock {
  if (path === ":memory:") return { release: () => undefined };
  const real = realpathSync(path);
  const { dev, ino } = statSync(real, { bigint: true });
  const identity = `${dev}:${ino}`;
  if (served.has(identity)) throw alreadyServed(path);
  check(real);
  const lockFile = `${real}-serving`;
  const first = lockBeside(lockFile, real);
  let second: number | undefined;
  try {
    second = lockInode(real, path);
  } catch (error) {
    first.close();
    throw error;
  }
  served.add(identity);
  return {
    ...(second === undefined && { lockFile }),
    release() {
      first.close();
      if (second !== undefined) closeSync(second);
      served.delete(identity);
    },
  };
}

function lockBeside(lockFile: string, path: string): DatabaseSync {
  preparePrivateFile(lockFile, path);
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(lockFile);
    lock.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
    return lock;
  } catch (cause) {
    lock?.close();
    if (isBusy(cause)) throw alreadyServed(path, cause);
    const why = cause instanceof Error ? cause.message : cause;
    throw configurationError(
      `The lock file ${lockFile} cannot be used (${why}). Make room if its disk is full; if it is not a file of Portcullis, move it away.`,
      cause,
    );
  }
}

/** `open` of the BSDs and of macOS takes a lock of flock(2) itself. */
const O_EXLOCK = 0x20;
const HELD_BY_ANOTHER = 1;

/**
 * A lock of flock(2) on the open file, which has nothing to do with the POSIX locks that SQLite takes. On Linux the
 * command flock(1) takes it on a descriptor that it inherits, and the lock stays when the command has ended. Answers with
 * the descriptor, or undefined where there is no such lock.
 */
function lockInode(real: string, path: string): number | undefined {
  if (process.platform === "darwin" || process.platform === "freebsd") return openLocked(real, path);
  const descriptor = openSync(real, "r");
  const { status } = spawnSync("flock", ["-n", "-x", "3"], { stdio: ["ignore", "ignore", "ignore", descriptor] });
  if (status === 0) return descriptor;
  closeSync(descriptor);
  if (status === HELD_BY_ANOTHER) throw alreadyServed(path);
  return undefined;
}

function openLocked(real: string, path: string): number | undefined {
  try {
    return openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | O_EXLOCK);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EAGAIN") throw alreadyServed(path, cause);
    return undefined;
  }
}

function alreadyServed(path: string, cause?: unknown): PortcullisError {
  return configurationError(
    `Another process serves ${path}. Stop it, or set DATABASE_URL to another file, or to a PostgreSQL database, which several can share.`,
    cause,
  );
}
