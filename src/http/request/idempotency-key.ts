import { PortcullisError } from "#core/errors.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The Idempotency-Key of a request. A header that comes twice has a space in it and is refused. */
export function idempotencyKeyOf({ headers }: Request): string | undefined {
  const key = headers.get("idempotency-key");
  if (key === null) return undefined;
  if (KEY.test(key)) return key;
  throw new PortcullisError("invalid-request", "Idempotency-Key must be 1 to 255 visible ASCII characters, once.");
}
