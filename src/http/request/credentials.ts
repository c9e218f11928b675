import type { ClientConnection } from "#http/edge/client-connection.ts";
import type { Credentials } from "#service/identity/authenticator.ts";
import { sessionIdOf } from "./session-cookie.ts";

const BEARER = /^bearer +([\x21-\x7e]+) *$/i;

/**
 * What a request brings to say who is calling. A header that is not a bearer's counts as a bearer that nobody has. With a
 * bearer, a cookie does not count.
 */
export function credentialsOf(request: Request, client: ClientConnection): Credentials {
  const authorization = request.headers.get("authorization");
  if (authorization !== null) return { bearer: BEARER.exec(authorization)?.[1] ?? "" };
  const session = sessionIdOf(request, client);
  return session === undefined ? {} : { session };
}
