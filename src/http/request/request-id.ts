import { randomBytes } from "node:crypto";

const ACCEPTABLE = /^[\w-]{1,64}$/;
const BYTES = 12;

/** Random bytes are drawn for many ids at once: one call for each id would cost more. */
let pool = Buffer.alloc(0);

/** The caller's own id when it may stand in a log, else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  if (given !== null && ACCEPTABLE.test(given)) return given;
  if (pool.length < BYTES) pool = randomBytes(256 * BYTES);
  const id = pool.toString("base64url", 0, BYTES);
  pool = pool.subarray(BYTES);
  return id;
}
