// Schemas have numbers, and only the start of the service upgrades a database: a command that did it beside a service
// of an older version would keep that from starting again.
import { configurationError } from "#core/errors.ts";

/** The number of the schema that the first migration makes. Those before it were never released. */
const FIRST_SCHEMA = 100;

export const newestSchema = (migrations: readonly string[]): number => FIRST_SCHEMA + migrations.length - 1;

/** The migrations that a database of this schema lacks; 0 stands for an empty one. */
export const missingIn = (schema: number, migrations: readonly string[]): readonly string[] =>
  migrations.slice(schema === 0 ? 0 : schema - FIRST_SCHEMA + 1);

export type SchemaChange =
  /** Create the tables, or bring those of an older version up to date. */
  | "upgrade"
  /** Create the tables in a database that has none. */
  | "create"
  /** Change nothing. */
  | "none";

interface Found {
  /** What to call the database in an error. Never its URL, which may hold a password. */
  readonly name: string;
  /** The schema on record; 0 for an empty database. */
  readonly schema: number;
  readonly newest: number;
}

/** Refuses a database that this version cannot read, or would have to change more than `allowed` says. */
export function requireSchema(allowed: SchemaChange, { name, schema, newest }: Found): void {
  if (schema > newest) {
    throw configurationError(
      `${name} was written by a newer version of Portcullis (schema ${schema}, and this one has ${newest}). Upgrade Portcullis, or set DATABASE_URL to another database.`,
    );
  }
  if (schema > 0 && schema < FIRST_SCHEMA) {
    throw configurationError(
      `${name} has a layout that this version of Portcullis cannot read (schema ${schema}, and this one has ${newest}). Export it with the version that wrote it (portcullis export) and import it into a new database, or start anew: set DATABASE_URL to another database.`,
    );
  }
  if (schema === newest || allowed === "upgrade") return;
  if (schema > 0) throw olderVersion(name, `schema ${schema}, and this one has ${newest}`);
  if (allowed === "none") throw configurationError(`${name} has no records. Check DATABASE_URL.`);
}

export const olderVersion = (name: string, details: string) =>
  configurationError(
    `${name} is as an older version of Portcullis left it (${details}). Start this version of the service, which upgrades it, or use the commands of the version that serves it.`,
  );
