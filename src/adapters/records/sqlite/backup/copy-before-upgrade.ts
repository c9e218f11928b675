// Keeps a copy of a database before a new version changes its schema, so that one can go back to the old version.
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { configurationError } from "#core/errors.ts";

/** The copy of a database of this schema. A later try of the same upgrade replaces it. */
const copyPath = (path: string, schema: number): string => `${path}.schema-${schema}`;

/** `database` is the open file at `path`. The copy is on disk when this returns. */
export function copyBeforeUpgrade(database: DatabaseSync, path: string, schema: number): void {
  const partial = `${copyPath(path, schema)}.partial`;
  try {
    rmSync(partial, { force: true });
    database.prepare("VACUUM INTO ?").run(partial);
    chmodSync(partial, 0o600);
    fsync(partial);
    renameSync(partial, copyPath(path, schema));
    fsync(dirname(path));
  } catch (cause) {
    rmSync(partial, { force: true });
    throw configurationError(
      `${path} has to be upgraded, and a copy of it could not be kept first. Make room for one, or set BACKUP_BEFORE_UPGRADE=false.`,
      { cause },
    );
  }
}

function fsync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
