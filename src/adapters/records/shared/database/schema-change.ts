// Which changes of the schema a process may make when it opens the records. Only the start of the service upgrades a
// database: a command that did it beside a service of an older version would keep that version from starting again.
import { configurationError } from "#core/errors.ts";

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
  readonly version: number;
  readonly newest: number;
}

/** Refuses a database that would have to be changed more than `allowed` says. */
export function requireSchema(allowed: SchemaChange, { name, version, newest }: Found): void {
  if (version === newest || allowed === "upgrade") return;
  if (version > 0) throw olderVersion(name, `schema ${version}, and this one has ${newest}`);
  if (allowed === "none") throw configurationError(`There are no records in ${name}. Check DATABASE_URL.`);
}

export const olderVersion = (name: string, details: string) =>
  configurationError(
    `${name} is as an older version of Portcullis left it (${details}). Start this version of the service, which upgrades it, or use the commands of the version that serves it.`,
  );
