// Opens a database file: durable, with the current schema, and one that is ours.
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { requireSchema, type SchemaChange } from "#adapters/records/shared/database/schema-change.ts";
import { withoutText } from "#adapters/records/shared/receipts/receipt-text.ts";
import { copyBeforeUpgrade } from "#adapters/records/sqlite/backup/copy-before-upgrade.ts";
import { configurationError } from "#core/errors.ts";
import { APPLICATION_ID, foreignDatabase, notADatabase } from "./files/foreign-file.ts";
import { makeFilesPrivate, preparePrivateFiles } from "./files/private-files.ts";
import { MIGRATIONS } from "./migrations.ts";

const SQLITE_FULL = 13;

interface OpenOptions {
  /** Whether a copy is kept beside the file before its schema changes. */
  readonly keepsCopy?: boolean;
  readonly schemaChange?: SchemaChange;
}

/** `path` is a file, which is created if it is missing and may be, or `:memory:`. */
export function openDatabase(
  path: string,
  migrations: readonly string[] = MIGRATIONS,
  { keepsCopy = false, schemaChange = "upgrade" }: OpenOptions = {},
): DatabaseSync {
  if (schemaChange === "none" && !existsSync(path))
    throw configurationError(`There is no database at ${path}. Check DATABASE_URL.`);
  const database = connect(path);
  try {
    database.exec("PRAGMA busy_timeout = 1000");
    refuseForeignDatabase(database, path, migrations.length);
    makeFilesPrivate(path);
    const schema = pragma(database, "user_version");
    requireSchema(schemaChange, { name: path, version: schema, newest: migrations.length });
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    // What is forgotten is overwritten with zeros, and not only marked as free.
    database.exec("PRAGMA secure_delete = ON");
    if (keepsCopy && schema > 0 && schema < migrations.length) copyBeforeUpgrade(database, path, schema);
    if (path === ":memory:" && migrations === MIGRATIONS) fillNew(database);
    else migrate(database, migrations);
    // Waiting inside SQLite blocks the process. Writes retry by themselves (group-commit.ts), and reads wait only for
    // moments.
    database.exec("PRAGMA busy_timeout = 10");
    return database;
  } catch (error) {
    database.close();
    const isFull = error instanceof Error && "errcode" in error && error.errcode === SQLITE_FULL;
    if (isFull) throw configurationError(`The disk of ${path} is full. Make room, and start again.`, error);
    throw error;
  }
}

function connect(path: string): DatabaseSync {
  preparePrivateFiles(path);
  try {
    return new DatabaseSync(path);
  } catch (cause) {
    throw configurationError(`The database ${path} cannot be opened. Is DATABASE_URL right?`, cause);
  }
}

function refuseForeignDatabase(database: DatabaseSync, path: string, newest: number): void {
  const { id, version, tables } = identify(database, path);
  if (id !== APPLICATION_ID && (id !== 0 || tables > 0)) {
    throw foreignDatabase(path);
  }
  if (version > newest) {
    throw configurationError(
      `${path} was written by a newer version of Portcullis (schema ${version}, and this one knows ${newest}). Upgrade Portcullis, or set DATABASE_URL to another file.`,
    );
  }
}

function identify(database: DatabaseSync, path: string) {
  try {
    return {
      id: pragma(database, "application_id"),
      version: pragma(database, "user_version"),
      tables: Number(database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.n),
    };
  } catch (cause) {
    throw notADatabase(path, cause);
  }
}

function migrate(database: DatabaseSync, migrations: readonly string[]): void {
  // Usually there is nothing to do. Then this waits for no writer.
  if (pragma(database, "user_version") === migrations.length) return;
  database.function("without_text", { deterministic: true }, (body) => withoutText(String(body)));
  database.exec("BEGIN IMMEDIATE");
  for (const migration of migrations.slice(pragma(database, "user_version"))) database.exec(migration);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}; COMMIT`);
}

/** A new database with the newest schema. */
let newest: Uint8Array | undefined;

/**
 * Tests open thousands of databases in memory, and the migrations take longer than most tests. So the first one is
 * copied, where Node can do that (24 and newer).
 */
function fillNew(database: DatabaseSync): void {
  if (newest !== undefined) return void database.deserialize(newest);
  migrate(database, MIGRATIONS);
  if ("serialize" in database) newest = database.serialize();
}

function pragma(database: DatabaseSync, name: "application_id" | "user_version"): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}
