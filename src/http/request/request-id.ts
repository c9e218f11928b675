import { pooledRandomBytes } from "#service/random-bytes.ts";

const ACCEPTABLE = /^[\w-]{1,64}$/;
const BYTES = 12;

/** The caller's own id when it may stand in a log, else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && ACCEPTABLE.test(given) ? given : pooledRandomBytes(BYTES).toString("base64url");
}
