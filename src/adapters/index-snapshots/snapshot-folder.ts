// Snapshots as files of one folder, which only the owner of the process may read: they hold words of memories.
import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { configurationError } from "#core/errors.ts";
import type { SnapshotFiles } from "#ports.ts";

const EXTENSION = ".snapshot";
const TEMPORARY = ".tmp";
/** How much is read or hashed in one turn of the event loop. */
const PIECE_BYTES = 1024 * 1024;
/** More than the largest namespace needs. A larger file is not ours. */
const MAX_BYTES = 8 * 1024 ** 3;

export interface SnapshotFolder {
  /** Created when the first snapshot is written. */
  readonly folder: string;
  /** Opens a file for writing. Tests replace it. */
  readonly create?: (path: string) => Promise<Pick<FileHandle, "writeFile" | "sync" | "close">>;
}

export function snapshotFolder({ folder, create = createFile }: SnapshotFolder): SnapshotFiles {
  const pathOf = (name: string) => join(folder, `${name}${EXTENSION}`);

  async function writeTemporary(path: string, chunks: Iterable<Uint8Array>): Promise<string> {
    const hash = createHash("sha256");
    const file = await create(path);
    try {
      for (const chunk of chunks) {
        hash.update(chunk);
        await file.writeFile(chunk);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    return hash.digest("hex");
  }

  return {
    async read(name) {
      const file = await orIfMissing(undefined, openFile(pathOf(name)));
      if (file === undefined) return undefined;
      try {
        return await readPieces(file);
      } finally {
        await file.close();
      }
    },

    async write(name, chunks) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const temporary = join(folder, `${name}.${randomUUID()}${TEMPORARY}`);
      try {
        const digest = await writeTemporary(temporary, chunks);
        await rename(temporary, pathOf(name));
        return digest;
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },

    remove: (name) => rm(pathOf(name), { force: true }),
    clear: () => rm(folder, { recursive: true, force: true }),

    async names() {
      const files = await orIfMissing([], readdir(folder));
      // What a process left behind that ended while it wrote.
      for (const file of files) if (file.endsWith(TEMPORARY)) await rm(join(folder, file), { force: true });
      return files.flatMap((file) => (file.endsWith(EXTENSION) ? file.slice(0, -EXTENSION.length) : []));
    },

    requireWritable: () =>
      requireWritable(folder).catch((cause) => {
        const message = `Snapshots of the index cannot be written to the folder ${folder} by this user. Set INDEX_FOLDER to another one.`;
        throw configurationError(message, cause);
      }),
  };
}

/** Of a folder that is yet to be created, the nearest one that exists counts. */
async function requireWritable(folder: string): Promise<void> {
  const isThere = await orIfMissing(
    false,
    access(folder, constants.W_OK | constants.X_OK).then(() => true),
  );
  if (!isThere && dirname(folder) !== folder) await requireWritable(dirname(folder));
}

/** Never opens a file that is there already, or a link to one. */
const createFile = (path: string) => open(path, "wx", 0o600);
const openFile = (path: string) => open(path, constants.O_RDONLY | constants.O_NOFOLLOW);

async function readPieces(file: FileHandle): Promise<{ bytes: Uint8Array; digest: string }> {
  const { size } = await file.stat();
  if (size > MAX_BYTES) throw new Error("The snapshot is too large.");
  const bytes = Buffer.allocUnsafeSlow(size);
  const hash = createHash("sha256");
  let at = 0;
  while (at < size) {
    const { bytesRead } = await file.read(bytes, at, Math.min(PIECE_BYTES, size - at));
    if (bytesRead === 0) break;
    hash.update(bytes.subarray(at, at + bytesRead));
    at += bytesRead;
  }
  return { bytes: bytes.subarray(0, at), digest: hash.digest("hex") };
}

async function orIfMissing<T, U>(otherwise: U, result: Promise<T>): Promise<T | U> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return otherwise;
    throw error;
  }
}
