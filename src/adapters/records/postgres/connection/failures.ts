import { DatabaseError } from "pg";
import { PortcullisError } from "#core/errors.ts";

/** Whatever PostgreSQL or the way to it did, the services are told that the records are unavailable. */
export function unavailable(error: unknown): PortcullisError {
  if (error instanceof PortcullisError) return error;
  return new PortcullisError("records-unavailable", "The database does not answer. Try again shortly.", {
    cause: error,
  });
}

/** For `catch`. */
export function refused(error: unknown): never {
  throw unavailable(error);
}

/**
 * Whether the server refused a statement and is otherwise well: bad data, a broken constraint, a deadlock. Then nothing
 * of its transaction was recorded, and the connection can be used again. After anything else, a lost connection above
 * all, the commit may have happened, and trying again would record it twice.
 */
export function isUndone(error: unknown): boolean {
  return error instanceof DatabaseError && /^(22|23|40)/.test(error.code ?? "");
}

/** Invalid authorization, no such database, no such host, not a URL. Time does not mend these. */
const MISTAKES = /^(28...|3D000|ENOTFOUND|ERR_INVALID_URL)$/;

/** At the start, what is likely to be a mistake in the configuration is called one. */
export function notOpened(error: unknown): never {
  if (error instanceof PortcullisError) throw error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const isMistake = MISTAKES.test(code);
  // The server's own words name the role or the database, and never the password.
  const why = error instanceof DatabaseError ? ` PostgreSQL says: ${error.message}.` : "";
  throw isMistake
    ? new PortcullisError("configuration", `The database cannot be opened.${why} Is DATABASE_URL right?`, {
        cause: error,
      })
    : new PortcullisError(
        "records-unavailable",
        `The database does not answer.${why} Is PostgreSQL running where DATABASE_URL says?`,
        { cause: error },
      );
}
