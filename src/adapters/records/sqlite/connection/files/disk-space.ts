// The room on the database's disk. A reserve is kept for what must not be refused: revokes, and the end of what began.
import { type StatsFs, statfsSync } from "node:fs";
import { storageFull } from "#core/errors.ts";

/** What the operating system is asked at most this often. A service writes a few megabytes in this time. */
const FRESH_MS = 500;
/** With less than this, a commit fails. Without a reserve, this is what makes a disk full. */
const FEWEST_BYTES = 256 * 1024;

export interface DiskSpaceOptions {
  readonly folder: string;
  readonly reserveBytes: number;
  /** Tests replace these. */
  readonly statfs?: ((folder: string) => Pick<StatsFs, "bavail" | "bsize" | "files" | "ffree">) | undefined;
  readonly now?: () => number;
}

/** Answers with a function that throws `storage-full` when only the reserve is left, or no file can be created. */
export function roomOn({ folder, reserveBytes, statfs = statfsSync, now = monotonic }: DiskSpaceOptions): () => void {
  let checked: { readonly at: number; readonly hasRoom: boolean } | undefined;

  function hasRoom(): boolean {
    try {
      const { bavail, bsize, files, ffree } = statfs(folder);
      // A file system without a fixed number of inodes says that it has none.
      return bavail * bsize >= Math.max(reserveBytes, FEWEST_BYTES) && (files === 0 || ffree > 0);
    } catch {
      // A folder that is gone is not full. The file guard says what happened.
      return true;
    }
  }

  return () => {
    if (checked === undefined || now() - checked.at >= FRESH_MS) checked = { at: now(), hasRoom: hasRoom() };
    if (!checked.hasRoom) throw storageFull();
  };
}

const monotonic = () => performance.now();
