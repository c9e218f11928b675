// An archive of old records: a folder of files of JSON lines, compressed with gzip. Each run has files of its own, and
// each append is a gzip member of its own, on disk before it answers. So a crash damages at most the end of one file,
// and what stood there is still on record and comes again in the files of the next run.
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { sync } from "#adapters/durable-files.ts";
import { configurationError } from "#core/errors.ts";
import type { Archive } from "#ports.ts";

interface ArchiveFile {
  readonly handle: FileHandle;
  /** Up to here it is complete. */
  length: number;
}

export function archiveFolder({ folder, now }: { readonly folder: string; readonly now: Date }): Archive {
  const files = new Map<string, ArchiveFile>();
  const run = `${now.toISOString().replaceAll(/[-:]|\.\d+/g, "")}-${process.pid}`;

  async function fileOf(kind: string): Promise<ArchiveFile> {
    const known = files.get(kind);
    if (known !== undefined) return known;
    const handle = await createIn(folder, `${kind}-${run}.ndjson.gz`);
    const file = { handle, length: 0 };
    files.set(kind, file);
    await sync(folder);
    return file;
  }

  return {
    async append(kind, lines) {
      if (lines.length === 0) return;
      const bytes = await promisify(gzip)(`${lines.join("\n")}\n`);
      const file = await fileOf(kind);
      try {
        await file.handle.appendFile(bytes);
        await file.handle.datasync();
        file.length += bytes.length;
      } catch (error) {
        // Half a member would make what is appended later unreadable.
        await file.handle.truncate(file.length).catch(() => undefined);
        throw error;
      }
    },
    async close() {
      for (const { handle } of files.values()) await handle.close();
      files.clear();
    },
  };
}

async function createIn(folder: string, name: string): Promise<FileHandle> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await open(join(folder, name), "ax", 0o600);
  } catch (cause) {
    throw configurationError(`The archive ${folder} must be a folder that this user can write.`, cause);
  }
}
