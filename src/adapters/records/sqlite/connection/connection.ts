// One SQLite connection, which reads and writes share. Every failure is reported as `records-unavailable`, or by what is
// wrong with the disk: `storage-full`, `storage-lost`.
import type { DatabaseSync } from "node:sqlite";
import { fullDiskMemory, unavailable } from "#adapters/records/shared/database/unavailable.ts";
import type { OnCommit } from "#adapters/records/shared/sql/group-commit.ts";
import { type FileGuard, NO_GUARD } from "./files/file-guard.ts";
import { createWriteQueue } from "./write-queue.ts";

export type Connection = ReturnType<typeof createConnection>;

interface Storage {
  readonly guard?: FileGuard;
  /** Throws when only the disk's reserve is left. */
  readonly requireRoom?: () => void;
  readonly onCommit?: OnCommit | undefined;
}

const TRUNCATE_MS = 20;
const TRUNCATE_RETRY_MS = 1_000;
/** Between two, so many times as long as the last one took, at most ten seconds. */
const TRUNCATE_REST = 200;
const LONGEST_REST_MS = 10_000;

export function createConnection(
  database: DatabaseSync,
  { guard = NO_GUARD, requireRoom = () => undefined, onCommit }: Storage = {},
) {
  const fullDisk = fullDiskMemory();
  const commits = createWriteQueue(database, { beforeAcknowledging: guard.check, onCommit });
  const begin = database.prepare("BEGIN");
  const end = database.prepare("COMMIT");

  function failed(cause: unknown): never {
    // SQLite finds a file that was overwritten malformed. What happened to it says more.
    guard.check();
    const error = unavailable(cause);
    // A refusal because of the reserve ends with its reason. Only SQLite's own error has to be remembered.
    if (error !== cause) fullDisk.failed(error);
    throw error;
  }

  function readNow<T>(job: () => T): T {
    guard.throwIfLost();
    try {
      return job();
    } catch (error) {
      return failed(error);
    }
  }

  async function writeFromReserve<T>(job: () => T, tenant?: number): Promise<T> {
    guard.throwIfLost();
    const result = await commits.write(job, tenant).catch(failed);
    fullDisk.forget();
    return result;
  }

  let isTruncating = false;
  /** When the next one may be. */
  let restsUntil = 0;

  function hasTruncated(): boolean {
    const began = performance.now();
    try {
      const [result] = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
      return result?.busy !== 1;
    } catch {
      return false;
    } finally {
      const ended = performance.now();
      restsUntil = ended + Math.min(LONGEST_REST_MS, TRUNCATE_REST * (ended - began));
    }
  }

  function truncateLog(delay = TRUNCATE_MS): void {
    if (isTruncating) return;
    isTruncating = true;
    setTimeout(
      () => {
        isTruncating = false;
        // The log of a file that was removed or replaced is all that is left of what it holds.
        if (!database.isOpen || guard.isLost() || hasTruncated()) return;
        truncateLog(TRUNCATE_RETRY_MS);
      },
      Math.max(delay, restsUntil - performance.now()),
    ).unref();
  }

  return {
    database,
    /**
     * Soon empties the log into the file, so that what was deleted is gone from the disk; later when another process reads.
     * Everything waits for the disk meanwhile, so it takes a small share of the time, however many call it.
     */
    truncateLog: () => truncateLog(),

    /** Runs `job` at once. */
    read: async <T>(job: () => T): Promise<T> => readNow(job),
    /** The same, for one whose result is needed in the same turn. */
    readNow,

    /** For use in `read`: the statements of `job` see one state, also while another process writes. */
    inSnapshot<T>(job: () => T): T {
      begin.run();
      try {
        return job();
      } finally {
        end.run();
      }
    },

    /** Runs `job` in the next commit, and answers when it is on disk. Refused when only the disk's reserve is left. */
    async write<T>(job: () => T, tenant?: number): Promise<T> {
      requireRoom();
      return writeFromReserve(job, tenant);
    },
    /** The same, and may use the reserve. For what must not be refused: revokes, and the end of what began. */
    writeFromReserve,
    /** Commits what was written last, without waiting for the end of the turn, or for what others wrote. */
    commitNow: commits.flushLast,
    requireRoom,
    /** Runs `job`, which writes on a connection of its own. Writes that arrive meanwhile wait for its end. */
    async alone<T>(job: () => Promise<T>): Promise<T> {
      guard.throwIfLost();
      requireRoom();
      return commits.alone(job).catch(failed);
    },

    /** As that of the file guard. */
    lastCommit: guard.lastCommit,
    /** Throws when the files are not ours any more, or writes would be refused. */
    checkStorage(): void {
      guard.check();
      requireRoom();
      fullDisk.throwIfRecent();
    },

    close(): void {
      commits.flush();
      if (guard.mayClose()) database.close();
    },
  };
}
