import { PortcullisError } from "#core/errors.ts";

/** Whatever a database or the connection to it did, the services learn that the records are unavailable. */
export function unavailable(error: unknown): PortcullisError {
  if (error instanceof PortcullisError) return error;
  return new PortcullisError("records-unavailable", "The database does not answer. Try again shortly.", {
    cause: error,
  });
}

/** For `catch`. */
export function throwUnavailable(error: unknown): never {
  throw unavailable(error);
}
