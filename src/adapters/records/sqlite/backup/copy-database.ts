// Copies a database file that a service may be writing to: one snapshot of it, compacted and checked. The work blocks its
// thread, so it has a worker of its own.
import { chmodSync, renameSync, rmSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { syncNow } from "#adapters/durable-files.ts";
import { runJob, serveJob } from "#adapters/records/sqlite/worker-job.ts";
import { configurationError } from "#core/errors.ts";
import { numberFrom, withDatabase } from "./with-database.ts";

interface CopyOrder {
  readonly from: string;
  readonly to: string;
}

/** Called with the bytes that are written so far, and those that are expected. */
export type OnCopied = (bytes: number, of: number) => void;

const PROGRESS_MS = 200;

/** Writes `to`, which must not exist: all that was acknowledged before the call. The caller makes it durable. */
export async function copyDatabase({ from, to }: CopyOrder, onCopied: OnCopied = () => undefined): Promise<void> {
  let expected = 0;
  const timer = setInterval(async () => {
    const { size } = await stat(to).catch(() => ({ size: 0 }));
    if (expected > 0) onCopied(Math.min(size, expected), expected);
  }, PROGRESS_MS);
  const copied = runJob(new URL(import.meta.url), "copy", { from, to }, (bytes) => {
    expected = bytes;
  });
  await copied.finally(() => clearInterval(timer));
}

function runCopy({ from, to }: CopyOrder, onProgress: (expected: number) => void): void {
  withDatabase(from, { readOnly: true, timeout: 5_000 }, (source) => {
    const pragma = (name: string) => numberFrom(source, `PRAGMA ${name}`);
    onProgress((pragma("page_count") - pragma("freelist_count")) * pragma("page_size"));
    source.prepare("VACUUM INTO ?").run(to);
  });
  withDatabase(to, { readOnly: true }, (copy) => {
    const rows = copy.prepare("PRAGMA quick_check(1)").all() as { quick_check: string }[];
    const complaint = rows.map((row) => row.quick_check).find((text) => text !== "ok");
    if (complaint !== undefined) throw configurationError(`The copy is damaged: ${complaint}.`);
  });
}

serveJob("copy", runCopy);

// Keeps a copy of a database before a new version changes its schema, so that one can go back to the old version.

/** The copy of a database of this schema. A later try of the same upgrade replaces it. */
const copyPath = (path: string, schema: number): string => `${path}.schema-${schema}`;

/** `database` is the open file at `path`. The copy is on disk when this returns. */
export function copyBeforeUpgrade(database: DatabaseSync, path: string, schema: number): void {
  const partial = `${copyPath(path, schema)}.partial`;
  try {
    rmSync(partial, { force: true });
    database.prepare("VACUUM INTO ?").run(partial);
    chmodSync(partial, 0o600);
    syncNow(partial);
    renameSync(partial, copyPath(path, schema));
    syncNow(dirname(path));
  } catch (cause) {
    rmSync(partial, { force: true });
    throw configurationError(
      `${path} has to be upgraded, and a copy of it could not be kept first. Make room for one, or set BACKUP_BEFORE_UPGRADE=false.`,
      { cause },
    );
  }
}
