// Spool files: each loses its name as soon as it is open, so that no other process can open it, and the operating system
// frees it when this process ends, however it ends.
import { randomUUID } from "node:crypto";
import { mkdir, open, statfs, unlink } from "node:fs/promises";
import { join } from "node:path";
import { isDiskFull } from "#adapters/disk-full.ts";
import { storageFull } from "#core/errors.ts";
import type { Spool, SpoolFile } from "#ports.ts";

/** The free room is asked for each time that so much was written, to each file. What all write meanwhile has room, too. */
const CHECKED_BYTES = 512 * 1024;
const MARGIN_BYTES = 32 * CHECKED_BYTES;

/** `reserveBytes` of the disk are kept for others. */
export function spoolFolder({ folder, reserveBytes = 0 }: { folder: string; reserveBytes?: number }): Spool {
  async function requireRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < reserveBytes + MARGIN_BYTES) throw storageFull();
  }

  async function create(): Promise<SpoolFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await requireRoom();
    const path = join(folder, `.import-${randomUUID()}`);
    const file = await open(path, "wx+", 0o600);
    await unlink(path);
    let size = 0;
    let checkedAt = 0;
    return {
      async append(bytes) {
        if (size - checkedAt >= CHECKED_BYTES) {
          await requireRoom();
          checkedAt = size;
        }
        try {
          await file.writeFile(bytes);
        } catch (error) {
          throw isDiskFull(error) ? storageFull(error) : error;
        }
        size += bytes.length;
      },
      async read({ offset, length }) {
        const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
        let at = 0;
        while (at < bytes.length) {
          const { bytesRead } = await file.read(bytes, at, bytes.length - at, offset + at);
          if (bytesRead === 0) throw new Error("The spool file is shorter than what was written to it.");
          at += bytesRead;
        }
        return bytes;
      },
      size: () => size,
      close: () => file.close(),
    };
  }

  return { create };
}
