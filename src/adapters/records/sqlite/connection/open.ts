// Opens a database file: durable, migrated, and ours.
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PortcullisError } from "#core/errors.ts";
import { MIGRATIONS } from "./migrations.ts";

/** "Port" in the file's header, so that no other program's database is taken for ours. */
const APPLICATION_ID = 0x506f7274;

/** `path` is a file, made if need be, or `:memory:`. */
export function openDatabase(path: string, migrations: readonly string[] = MIGRATIONS): DatabaseSync {
  const database = connect(path);
  try {
    database.exec("PRAGMA busy_timeout = 1000");
    refuseWhatIsNotOurs(database, path, migrations.length);
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    migrate(database, migrations);
    // Waiting blocks the process. Writes ask again by themselves (commits.ts); reads wait for nobody but for moments.
    database.exec("PRAGMA busy_timeout = 10");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function connect(path: string): DatabaseSync {
  try {
    if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return new DatabaseSync(path);
  } catch (cause) {
    throw new PortcullisError("configuration", `The database ${path} cannot be opened. Is DATABASE_URL right?`, {
      cause,
    });
  }
}

function refuseWhatIsNotOurs(database: DatabaseSync, path: string, known: number): void {
  const [id, version, tables] = identify(database, path);
  if (id !== APPLICATION_ID && (id !== 0 || tables > 0)) {
    throw new PortcullisError(
      "configuration",
      `${path} is another program's database. Set DATABASE_URL to another file.`,
    );
  }
  if (version > known) {
    throw new PortcullisError(
      "configuration",
      `${path} was written by a newer version of Portcullis (schema ${version}, and this one knows ${known}). Upgrade Portcullis, or set DATABASE_URL to another file.`,
    );
  }
}

function identify(database: DatabaseSync, path: string): [id: number, version: number, tables: number] {
  try {
    return [
      pragma(database, "application_id"),
      pragma(database, "user_version"),
      Number(database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.n),
    ];
  } catch (cause) {
    throw new PortcullisError("configuration", `${path} is not a database. Set DATABASE_URL to another file.`, {
      cause,
    });
  }
}

function migrate(database: DatabaseSync, migrations: readonly string[]): void {
  // Nothing to do is the usual case, and waits for no writer.
  if (pragma(database, "user_version") === migrations.length) return;
  database.exec("BEGIN IMMEDIATE");
  for (const migration of migrations.slice(pragma(database, "user_version"))) database.exec(migration);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}; COMMIT`);
}

function pragma(database: DatabaseSync, name: "application_id" | "user_version"): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}
