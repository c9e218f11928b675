// Opens a database file: durable, with the current schema, and one that is ours.
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { isDiskFull } from "#adapters/disk-full.ts";
import { rowDigest } from "#adapters/records/shared/database/row-digest.ts";
import * as schemas from "#adapters/records/shared/database/schema-change.ts";
import { SQLITE } from "#adapters/records/shared/schema/dialect.ts";
import { migrationsIn } from "#adapters/records/shared/schema/schema.ts";
import { copyBeforeUpgrade } from "#adapters/records/sqlite/backup/copy-database.ts";
import { configurationError } from "#core/errors.ts";
import { APPLICATION_ID, foreignDatabase, notADatabase } from "./files/foreign-file.ts";
import { makeFilesPrivate, preparePrivateFiles } from "./files/private-files.ts";

export const MIGRATIONS = migrationsIn(SQLITE);

interface OpenOptions {
  readonly keepsCopy?: boolean;
  readonly schemaChange?: schemas.SchemaChange;
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
    addRowDigest(database);
    refuseForeignDatabase(database, path);
    makeFilesPrivate(path);
    const newest = schemas.newestSchema(migrations);
    const schema = pragma(database, "user_version");
    schemas.requireSchema(schemaChange, { name: path, schema, newest });
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    // What is forgotten is overwritten with zeros, and not only marked as free.
    database.exec("PRAGMA secure_delete = ON");
    if (keepsCopy && schema > 0 && schema < newest) copyBeforeUpgrade(database, path, schema);
    if (path === ":memory:" && migrations === MIGRATIONS) fillNew(database);
    else migrate(database, migrations);
    // Waiting inside SQLite blocks the process. Writes retry by themselves (write-queue.ts), and reads wait only for
    // moments.
    database.exec("PRAGMA busy_timeout = 10");
    return database;
  } catch (error) {
    database.close();
    if (isDiskFull(error)) throw configurationError(`The disk of ${path} is full. Make room, and start again.`, error);
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

function refuseForeignDatabase(database: DatabaseSync, path: string): void {
  try {
    const id = pragma(database, "application_id");
    const tables = Number(database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.n);
    if (id === APPLICATION_ID || (id === 0 && tables === 0)) return;
  } catch (cause) {
    throw notADatabase(path, cause);
  }
  throw foreignDatabase(path);
}

/** SQLite has no hash function, so the process brings one. Every connection that adds rows needs it. */
export function addRowDigest(database: DatabaseSync): void {
  const options = { deterministic: true, varargs: true };
  database.function("row_digest", options, (...fields) => rowDigest(fields));
}

function migrate(database: DatabaseSync, migrations: readonly string[]): void {
  // Usually there is nothing to do. Then this waits for no writer.
  const newest = schemas.newestSchema(migrations);
  if (pragma(database, "user_version") === newest) return;
  database.exec("BEGIN IMMEDIATE");
  for (const migration of schemas.missingIn(pragma(database, "user_version"), migrations)) database.exec(migration);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${newest}; COMMIT`);
}

let emptyDatabase: Uint8Array | undefined;

/** Tests open thousands of databases in memory. So the first is copied, where Node can do that (24 and newer). */
function fillNew(database: DatabaseSync): void {
  if (emptyDatabase !== undefined) return void database.deserialize(emptyDatabase);
  migrate(database, MIGRATIONS);
  if ("serialize" in database) emptyDatabase = database.serialize();
}

const pragma = (database: DatabaseSync, name: "application_id" | "user_version"): number =>
  Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
