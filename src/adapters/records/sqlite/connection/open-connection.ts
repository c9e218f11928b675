// Opens the connection of a record store: locked for this process if it serves the file, guarded, and aware of its disk.
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { olderVersion, type SchemaChange } from "#adapters/records/shared/database/schema-change.ts";
import { areNewest, newSkeletons, readSkeletons } from "#adapters/records/shared/memories/names.ts";
import type { OnCommit } from "#adapters/records/shared/sql/group-commit.ts";
import type { PortcullisError } from "#core/errors.ts";
import type { RecordLimits } from "#ports.ts";
import { createConnection } from "./connection.ts";
import { type DiskSpaceOptions, roomOn } from "./files/disk-space.ts";
import { guardFiles } from "./files/file-guard.ts";
import { refuseForeignFile } from "./files/foreign-file.ts";
import { preparePrivateFiles } from "./files/private-files.ts";
import { lockForServing, type ProcessLock } from "./files/process-lock.ts";
import { openDatabase } from "./open.ts";
import { runPlan, statementRunner } from "./sqlite-database.ts";

/** How often the files are looked at while nothing is written. */
const CHECK_MS = 1_000;

export interface SqliteOptions {
  /** A file, which is created if it is missing, or `:memory:`. */
  readonly path: string;
  /** Whether this process serves the file. Only one process may. */
  readonly serves?: boolean;
  readonly limits?: RecordLimits;
  /** What may change in the schema. Everything, unless this says otherwise. A database in memory is always created. */
  readonly schemaChange?: SchemaChange | undefined;
  /** Whether a copy is kept beside the file before its schema changes. It is, unless this says otherwise. */
  readonly keepsCopy?: boolean | undefined;
  /** How much room of the disk is kept for revokes, and for the end of what began. */
  readonly reserveBytes?: number | undefined;
  /** Called once, when the files were removed, replaced or overwritten. */
  readonly onLost?: ((error: PortcullisError) => void) | undefined;
  readonly onCommit?: OnCommit | undefined;
  /** The clock by which memories expire. */
  readonly now?: () => Date;
  /** Tests replace it. */
  readonly statfs?: DiskSpaceOptions["statfs"] | undefined;
}

export function openConnection(options: SqliteOptions) {
  if (options.path === ":memory:") return plainConnection(options);
  return options.serves === true ? servingConnection(options) : plainConnection(options);
}

/** For programs beside the service, and for databases in memory. */
function plainConnection({ path, keepsCopy, schemaChange, onCommit }: SqliteOptions) {
  const database = openUpToDate(path, keepsCopy, path === ":memory:" ? "upgrade" : schemaChange);
  const connection = createConnection(database, { onCommit });
  return { database, connection, close: connection.close };
}

function servingConnection(options: SqliteOptions) {
  const { path, keepsCopy, reserveBytes = 0, onLost, onCommit, statfs } = options;
  preparePrivateFiles(path);
  // Before the database is opened, and migrated: another version may serve it.
  const lock = lockForServing(path, refuseForeignFile);
  const database = openOrRelease(path, lock, keepsCopy);
  // After a crash the log's index does not say what was copied from the log. The guard needs to know.
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const guard = guardFiles({ path, lockFile: lock.lockFile, onLost });
  const requireRoom = roomOn({ folder: dirname(path), reserveBytes, statfs });
  const connection = createConnection(database, { guard, requireRoom, onCommit });
  const timer = setInterval(() => guard.isLost(), CHECK_MS).unref();
  return {
    database,
    connection,
    close(): void {
      clearInterval(timer);
      connection.close();
      guard.release();
      lock.release();
    },
  };
}

function openOrRelease(path: string, lock: ProcessLock, keepsCopy?: boolean): DatabaseSync {
  try {
    return openUpToDate(path, keepsCopy);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function openUpToDate(path: string, keepsCopy = true, schemaChange: SchemaChange = "upgrade"): DatabaseSync {
  const database = openDatabase(path, undefined, { keepsCopy, schemaChange });
  try {
    updateSkeletons(database, path, schemaChange);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Derives the skeletons again when those on record are of another version. When it fails, the database is closed, which undoes it. */
function updateSkeletons(database: DatabaseSync, path: string, schemaChange: SchemaChange): void {
  const runner = statementRunner(database, () => new Date());
  if (areNewest(runner.run(readSkeletons))) return;
  if (schemaChange === "none") throw olderVersion(path, "its names have another normal form");
  database.exec("BEGIN IMMEDIATE");
  runPlan(runner, newSkeletons.reads, newSkeletons.decide);
  database.exec("COMMIT");
}
