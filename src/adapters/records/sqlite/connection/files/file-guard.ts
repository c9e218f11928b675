// Notices that the files of the database were removed, replaced or overwritten while it is served. SQLite goes on
// writing to a file that has lost its name, and what it acknowledges then is gone at the next start.
//
// A file keeps its inode while it is open, so another inode at the path is another file. A file that was overwritten in
// place has the same inode and another time of change. A checkpoint changes that time too, and leaves its marks in the
// log's index (https://www.sqlite.org/walformat.html, "The WAL-Index File Format"): what SQLite has tried to copy from the
// log to the file, and what it has copied. A change without such a mark was made by somebody else.
import { closeSync, openSync, readSync, realpathSync, renameSync, statSync } from "node:fs";
import { orUndefined } from "#core/defined.ts";
import { PortcullisError } from "#core/errors.ts";

export interface FileGuard {
  /** Looks at the files. Throws `storage-lost` if they are not ours any more, now and ever after. */
  check(): void;
  /** The same, for a timer. */
  isLost(): boolean;
  /** Throws if an earlier check did. */
  throwIfLost(): void;
  /** Changes with every commit to the file, whoever makes it. Undefined where nobody can tell. */
  lastCommit(): string | undefined;
  /** Whether the database may be closed. That copies the log into the file, which must not be an overwritten one. */
  mayClose(): boolean;
  /**
   * To be called after the database was closed: POSIX locks end when any descriptor of their file is closed. Moves the log
   * of a database that was replaced out of the way: at the next start SQLite would apply it to the new file.
   */
  release(): void;
}

type Loss = "removed" | "replaced" | "overwritten";

interface FileGuardOptions {
  readonly path: string;
  /** A further file that has to stay, if there is one. */
  readonly lockFile?: string | undefined;
  readonly onLost?: ((error: PortcullisError) => void) | undefined;
}

export const NO_GUARD: FileGuard = {
  check: () => undefined,
  isLost: () => false,
  throwIfLost: () => undefined,
  lastCommit: () => undefined,
  mayClose: () => true,
  release: () => undefined,
};

/** Where the log's index has the number of the last commit (iChange), the salts of the log, nBackfill and nBackfillAttempted. */
const COMMIT_AT = 8;
const SALTS_AT = 32;
const SALTS_END = 40;
const COPIED_AT = 96;
const ATTEMPTED_AT = 128;
const INDEX_BYTES = 136;

interface Checkpoints {
  /** Changes when the log begins anew. */
  readonly salts: bigint;
  readonly copied: number;
  readonly attempted: number;
}

interface FileState {
  /** Device and inode. */
  readonly identity: string;
  /** Size and time of the last change. */
  readonly contents: string;
}

export function guardFiles({ path, lockFile, onLost = () => undefined }: FileGuardOptions): FileGuard {
  const real = realpathSync(path);
  const [log, index] = [`${real}-wal`, `${real}-shm`];
  const beside = [log, index, ...(lockFile === undefined ? [] : [lockFile])];
  const indexDescriptor = openSync(index, "r");
  const buffer = Buffer.alloc(INDEX_BYTES);
  let loss: Loss | undefined;
  let error: PortcullisError | undefined;
  let checkpoints = readCheckpoints();
  let file = stateOf(real);
  const identities = beside.map(identityOf);

  function readCheckpoints(): Checkpoints {
    readSync(indexDescriptor, buffer, 0, INDEX_BYTES, 0);
    const [copied, attempted] = [buffer.readUInt32LE(COPIED_AT), buffer.readUInt32LE(ATTEMPTED_AT)];
    return { salts: buffer.readBigUInt64LE(SALTS_AT), copied, attempted };
  }

  /** Whether SQLite, here or in a program beside us, copied from the log to the file since the last look, or does so now. */
  function isCheckpointed({ salts, copied, attempted }: Checkpoints): boolean {
    if (attempted !== copied) return true;
    return attempted !== checkpoints.attempted || copied !== checkpoints.copied || salts !== checkpoints.salts;
  }

  /** From its number to the salts: a log that begins anew counts from 0. SQLite writes this copy of the head last. */
  function lastCommit(): string {
    readSync(indexDescriptor, buffer, 0, SALTS_END, 0);
    return buffer.toString("latin1", COMMIT_AT, SALTS_END);
  }

  function findLoss(): Loss | undefined {
    const found = beside.map(identityOf);
    // The marks are read before the state of the file when both are kept, and after it when they are compared. So a
    // checkpoint in between is never taken for somebody else's change.
    const before = readCheckpoints();
    const now = stateOf(real);
    if (now === undefined || found.includes(undefined)) return "removed";
    if (now.identity !== file?.identity || found.some((each, i) => each !== identities[i])) return "replaced";
    if (now.contents !== file.contents && !isCheckpointed(readCheckpoints())) return "overwritten";
    checkpoints = before;
    file = now;
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
    lastCommit,
    check() {
      if (isLost()) throwIfLost();
    },
    mayClose: () => !isLost() || loss !== "overwritten",
    release() {
      closeSync(indexDescriptor);
      const isReplaced = ![undefined, file?.identity].includes(identityOf(real));
      if (isReplaced && identityOf(log) === identities[0]) renameSync(log, `${log}.replaced-${Date.now()}`);
    },
  };
}

/** Undefined for a file that cannot be reached, too. */
const stateOf = (path: string): FileState | undefined =>
  orUndefined(() => {
    const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true });
    return { identity: `${dev}:${ino}`, contents: `${size}:${mtimeNs}` };
  });

const identityOf = (path: string): string | undefined => stateOf(path)?.identity;

function sentenceFor(loss: Loss): string {
  return `The database file, its log or its lock was ${loss} while the service ran. The service has stopped answering, so that nothing is acknowledged and then lost. Stop it, restore the files, and start it again.`;
}
