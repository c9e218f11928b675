import { DatabaseError } from "pg";
import type { Constraint } from "#adapters/records/shared/sql/database.ts";
import { configurationError, PortcullisError } from "#core/errors.ts";

/**
 * Whether the server refused a statement and is otherwise well: bad data, a broken constraint, a deadlock. Then nothing
 * of its transaction was recorded, and the connection can be used again. After any other failure, above all a lost
 * connection, the commit may have happened, and a retry would record it twice.
 */
export function isUndone(error: unknown): boolean {
  const reason = reasonOf(error);
  return reason instanceof DatabaseError && /^(22|23|40)/.test(reason.code ?? "");
}

/** What the server says when somebody ends a session: an operator, a restart, or a replica that waits for it in vain. */
const SESSION_ENDED = "57P01";
const CONNECTION_LOST = /^(Connection terminated unexpectedly|read ECONNRESET|write EPIPE)$/;

/** A session was ended before its COMMIT was begun, so that nothing of the transaction is on record. */
export class EndedBeforeCommit extends Error {
  constructor(cause: unknown) {
    super("The session was ended before its transaction was committed.", { cause });
  }
}

const reasonOf = (error: unknown): unknown => (error instanceof PortcullisError ? error.cause : error);

export const isEnded = (error: unknown): boolean => error instanceof DatabaseError && error.code === SESSION_ENDED;
export const isEndedBeforeCommit = (error: unknown): boolean => reasonOf(error) instanceof EndedBeforeCommit;

/** Whether a session was lost. A server that is silent has lost none: to ask again would take as long again. */
export function isLost(error: unknown): boolean {
  const reason = reasonOf(error);
  if (reason instanceof EndedBeforeCommit || isEnded(reason)) return true;
  return reason instanceof Error && CONNECTION_LOST.test(reason.message);
}

export function violates(error: unknown, constraint: Constraint): boolean {
  const reason = reasonOf(error);
  return reason instanceof DatabaseError && reason.constraint === constraint;
}

/** Invalid authorization, no such database, no such host, not a URL. A retry does not help. */
const MISTAKES = /^(28...|3D000|ENOTFOUND|ERR_INVALID_URL)$/;

/** With these the server quotes the role or the database. People who mistype a URL put the password in their place. */
const QUOTES = /^(28...|3D000)$/;

function whyOf({ code = "", message }: DatabaseError): string {
  if (code.startsWith("28")) return "PostgreSQL refuses the user, the password, or this machine.";
  if (code === "3D000") return "PostgreSQL has no database of this name.";
  return `PostgreSQL says: ${message}.`;
}

/** At the start, a failure that is probably a mistake in the configuration is reported as one. */
export function throwNotOpened(error: unknown): never {
  if (error instanceof PortcullisError) throw error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const why = error instanceof DatabaseError ? ` ${whyOf(error)}` : "";
  // Whoever prints the cause would print what `whyOf` leaves out.
  const cause = error instanceof DatabaseError && QUOTES.test(error.code ?? "") ? undefined : error;
  if (MISTAKES.test(code)) {
    const message = `The database cannot be opened.${why} Is DATABASE_URL right?`;
    throw configurationError(message, cause);
  }
  const message = `The database does not answer.${why} Is PostgreSQL running where DATABASE_URL says?`;
  throw new PortcullisError("records-unavailable", message, { cause });
}
