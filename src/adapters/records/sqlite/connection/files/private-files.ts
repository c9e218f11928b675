// Files that only the owner of the process may read: they hold memories, or keys.
import * as fs from "node:fs";
import { dirname } from "node:path";
import { configurationError } from "#core/errors.ts";

const OTHERS = 0o077;

/**
 * Creates the database file, empty, and the folders that are missing. SQLite gives its log and its index the mode of this
 * file. Folders and files that exist stay as they are: they may be another's.
 */
export function preparePrivateFiles(path: string): void {
  if (path === ":memory:") return;
  const folder = dirname(path);
  try {
    preparePrivateFolder(folder);
    if (!fs.statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder.`);
    if (fs.existsSync(path) && !fs.statSync(path).isFile()) throw new Error("It is not a file.");
  } catch (cause) {
    throw configurationError(`The database ${path} cannot be opened. Is DATABASE_URL right?`, cause);
  }
  const { R_OK, W_OK, X_OK } = fs.constants;
  requireAccess(
    folder,
    W_OK | X_OK,
    `The folder ${folder} cannot be written by this user. The database and its log are kept there.`,
  );
  refuseOrphanedLog(path);
  preparePrivateFile(path);
  requireAccess(path, R_OK | W_OK, `The database ${path} cannot be read and written by this user.`);
}

/** Files of a database of ours that others can read are mended. */
export function makeFilesPrivate(path: string): void {
  if (path === ":memory:") return;
  const real = fs.realpathSync(path);
  for (const suffix of ["", "-wal", "-shm", "-serving"]) makePrivate(`${real}${suffix}`);
}

/** With those above it. Not by `recursive`, which never returns in some file systems, /proc for example. */
export function preparePrivateFolder(folder: string): void {
  if (fs.existsSync(folder)) return;
  const parent = dirname(folder);
  preparePrivateFolder(parent);
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (fs.existsSync(folder)) return;
    throw error;
  }
  giveOwnerOf(parent, folder);
}

/** Creates an empty file that only its owner may read, whatever the umask, unless it is there. */
export function preparePrivateFile(path: string, sameOwnerAs: string = dirname(path)): void {
  if (fs.existsSync(path)) return;
  try {
    fs.closeSync(fs.openSync(path, "a", 0o600));
    giveOwnerOf(sameOwnerAs, path);
  } catch (cause) {
    throw configurationError(`The file ${path} cannot be created.`, cause);
  }
}

/** A database that was deleted while it was served leaves its log. SQLite would delete that too, and begin anew. */
function refuseOrphanedLog(path: string): void {
  const isEmpty = !fs.existsSync(path) || fs.statSync(path).size === 0;
  const log = `${fs.existsSync(path) ? fs.realpathSync(path) : path}-wal`;
  if (!isEmpty || !fs.existsSync(log) || fs.statSync(log).size === 0) return;
  throw configurationError(
    `The database ${path} is missing, and its log ${log} is there. Restore the database, or move the log away to begin with an empty one.`,
  );
}

function makePrivate(path: string): void {
  const stats = fs.statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.uid !== process.geteuid?.()) return;
  if ((stats.mode & OTHERS) !== 0) fs.chmodSync(path, stats.mode & 0o700);
}

function requireAccess(path: string, mode: number, sentence: string): void {
  try {
    fs.accessSync(path, mode);
  } catch (cause) {
    throw configurationError(sentence, cause);
  }
}

// Commands may run as root beside a service that runs as a user of its own. What they make must stay readable to it.

const ROOT = 0;

/** As root, gives a file or folder the owner and the group of another one. Other users cannot, and need not. */
export function giveOwnerOf(model: string, path: string): void {
  if (process.geteuid?.() !== ROOT) return;
  const { uid, gid } = fs.statSync(model);
  fs.chownSync(path, uid, gid);
}
