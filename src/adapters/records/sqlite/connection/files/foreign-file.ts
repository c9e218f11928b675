// Tells a database of ours from other files by its first bytes, before anything is changed, locked or created beside it.
// See the format of SQLite's files: https://www.sqlite.org/fileformat2.html
import { closeSync, openSync, readSync } from "node:fs";
import { configurationError } from "#core/errors.ts";

/** "Port" in the file's header. It tells our databases from those of other programs. */
export const APPLICATION_ID = 0x506f7274;

const MAGIC = "SQLite format 3\0";
const ID_OFFSET = 68;
/** How many entries the first page of the schema has. */
const ENTRIES_OFFSET = 103;
const BYTES = 112;

/**
 * Refuses a file that is another's. An empty one may become ours, and so may a database without tables: ours looks like
 * that while its first transaction is in the log alone. Not for a process that has the database open: to close any
 * descriptor of a file ends the locks of SQLite on it.
 */
export function refuseForeignFile(path: string): void {
  const bytes = firstBytes(path);
  if (bytes.length === 0) return;
  if (bytes.length < BYTES || bytes.toString("latin1", 0, MAGIC.length) !== MAGIC) throw notADatabase(path);
  const id = bytes.readUInt32BE(ID_OFFSET);
  if (id !== APPLICATION_ID && (id !== 0 || bytes.readUInt16BE(ENTRIES_OFFSET) > 0)) throw foreignDatabase(path);
}

export const notADatabase = (path: string, cause?: unknown) =>
  configurationError(`${path} is not a database. Set DATABASE_URL to another file.`, cause);

export const foreignDatabase = (path: string) =>
  configurationError(`${path} is another program's database. Set DATABASE_URL to another file.`);

function firstBytes(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(BYTES);
    return bytes.subarray(0, readSync(file, bytes, 0, BYTES, 0));
  } finally {
    closeSync(file);
  }
}
