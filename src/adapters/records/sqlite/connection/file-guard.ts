// Notices that the files of the database were removed, replaced or overwritten while it is served. SQLite goes on
// writing to a file that has lost its name, and what it acknowledges then is gone at the next start.
//
// A file keeps its inode while it is open, so another inode at the path is another file. A file that was overwritten in
// place has the same inode and another time of change. A checkpoint changes that time too, and leaves its marks in the
// log's header and in the log's index (https://www.sqlite.org/walformat.html, "WAL-Index"): what SQLite has tried to copy
// from the log to the file, and what it has copied. A change without such a mark was made by somebody else.
import { closeSync, openSync, readSync, realpathSync, renameSync, statSync } from "node:fs";
import { PortcullisError } from "#core/errors.ts";

export interface FileGuard {
  /** Looks at the files. Throws `storage-lost` if they are not ours any more, now and ever after. */
  check(): void;
  /** The same, for a timer. */
  isLost(): boolean;
  /** Throws if an earlier check did. */
  throwIfLost(): void;
  /**
   * Whether the database may be closed. That copies the log to the file and deletes the log, which would damage a file
   * that was overwritten. SQLite itself leaves a file alone that was removed or replaced.
   */
  mayClose(): boolean;
  /**
   * To be called after the database was closed: POSIX locks end when any descriptor of their file is closed. Moves the log
   * of a database that was replaced out of the way: at the next start SQLite would apply it to the new file.
   */
  release(): void;
}

type Loss = "removed" | "replaced" | "overwritten";

interface FileGuardOptions {
  /** An open database in WAL mode. */
  readonly path: string;
  /** A further file that has to stay, if there is one. */
  readonly lockFile?: string | undefined;
  /** Called once. */
  readonly onLost?: (error: PortcullisError) => void;
}

export const NO_GUARD: FileGuard = {
  check: () => undefined,
  isLost: () => false,
  throwIfLost: () => undefined,
  mayClose: () => true,
  release: () => undefined,
};

const LOG_HEADER_BYTES = 32;
/** Where the log's index has nBackfill and nBackfillAttempted. */
const COPIED_AT = 96;
const ATTEMPTED_AT = 128;
const INDEX_BYTES = 136;

interface Checkpoints {
  /** Changes when the log begins anew. */
  readonly log: Buffer;
  readonly copied: number;
  readonly attempted: number;
}

export function guardFiles({ path, lockFile, onLost = () => undefined }: FileGuardOptions): FileGuard {
  const real = realpathSync(path);
  const [log, index] = [`${real}-wal`, `${real}-shm`];
  const watched = [real, log, index, ...(lockFile === undefined ? [] : [lockFile])];
  const inodes = watched.map(identityOf);
  const [logDescriptor, indexDescriptor] = [openSync(log, "r"), openSync(index, "r")];
  let loss: Loss | undefined;
  let error: PortcullisError | undefined;
  let checkpoints = readCheckpoints();
  let contents = contentsOf();

  function readCheckpoints(): Checkpoints {
    const header = Buffer.alloc(LOG_HEADER_BYTES);
    readSync(logDescriptor, header, 0, LOG_HEADER_BYTES, 0);
    const info = Buffer.alloc(INDEX_BYTES);
    readSync(indexDescriptor, info, 0, INDEX_BYTES, 0);
    return { log: header, copied: info.readUInt32LE(COPIED_AT), attempted: info.readUInt32LE(ATTEMPTED_AT) };
  }

  /** Size and time of the last change of the database file. */
  function contentsOf(): string {
    const stats = statSync(real, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? "" : `${stats.size}:${stats.mtimeNs}`;
  }

  /** Whether SQLite, here or in a program beside us, copied from the log to the file since the last look, or does so now. */
  function isCheckpointed(now: Checkpoints): boolean {
    const { log: before, copied, attempted } = checkpoints;
    return (
      now.attempted !== now.copied ||
      now.attempted !== attempted ||
      now.copied !== copied ||
      Buffer.compare(now.log, before) !== 0
    );
  }

  function findLoss(): Loss | undefined {
    const found = watched.map(identityOf);
    if (found.includes(undefined)) return "removed";
    if (found.some((identity, i) => identity !== inodes[i])) return "replaced";
    // The marks are read before the time of change when both are kept, and after it when they are compared. So a
    // checkpoint in between is never taken for somebody else's change.
    const before = readCheckpoints();
    const now = contentsOf();
    if (now !== contents && !isCheckpointed(readCheckpoints())) return "overwritten";
    checkpoints = before;
    contents = now;
    return undefined;
  }

  function throwIfLost(): void {
    if (error !== undefined) throw error;
  }

  function isLost(): boolean {
    if (loss !== undefined) return true;
    loss = findLoss();
    if (loss !== undefined) {
      error = new PortcullisError("storage-lost", sentenceFor(loss));
      onLost(error);
    }
    return loss !== undefined;
  }

  return {
    isLost,
    throwIfLost,
    check() {
      if (isLost()) throwIfLost();
    },
    mayClose: () => !isLost() || loss !== "overwritten",
    release() {
      closeSync(logDescriptor);
      closeSync(indexDescriptor);
      const [file, itsLog] = [real, log].map(identityOf);
      const isReplaced = file !== undefined && file !== inodes[0];
      if (isReplaced && itsLog === inodes[1]) renameSync(log, `${log}.replaced-${Date.now()}`);
    },
  };
}

/** Undefined for a file that cannot be reached, too. */
function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

function sentenceFor(loss: Loss): string {
  return `The database file, its log or its lock was ${loss} while the service ran. The service has stopped answering, so that nothing is acknowledged and then lost. Stop it, restore the files, and start it again.`;
}
