// Keeps web pages of other sites from using the service: one without authentication on somebody's own machine, and one
// that a browser has a session with.
import { HttpError } from "#http/http-error.ts";
import { credentialsOf } from "#http/request/credentials.ts";
import type { ClientConnection } from "./client-connection.ts";
import { isLoopbackHost } from "./loopback.ts";

/** RFC 9110, 9.2.1: methods that change nothing. */
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export interface GuardOptions {
  /** Serve only requests whose Host names this machine. */
  readonly loopbackOnly: boolean;
  /** Other origins whose pages may call us with credentials of their own, which are never a session's. */
  readonly sharedWith?: ReadonlySet<string> | undefined;
}

/**
 * On loopback the Host must name loopback. A page whose own name was made to resolve to 127.0.0.1 ("DNS rebinding") sends
 * its own name. And a browser's request with an unsafe method must come from our own origin. A request with a session's
 * cookie comes from a browser, so it must say so itself.
 */
export function guardOrigin(
  request: Request,
  client: ClientConnection,
  { loopbackOnly, sharedWith }: GuardOptions,
): void {
  if (loopbackOnly && !isLoopbackHost(client.host)) throw new HttpError("forbidden-host", FORBIDDEN_HOST);
  if (SAFE_METHODS.has(request.method)) return;
  const { session, bearer } = credentialsOf(request, client);
  const isOwn = isOwnOrigin(request, client.host) && (session === undefined || isProvenOwnOrigin(request, client));
  const isShared = bearer !== undefined && sharedWith?.has(request.headers.get("origin") ?? "") === true;
  if (!isOwn && !isShared) {
    throw new HttpError("cross-origin", "A page of another site may not change anything here.");
  }
}

const FORBIDDEN_HOST =
  "This service answers to names of this machine only, such as 127.0.0.1. Behind a proxy, set TRUST_PROXY to the address of the proxy, and let the proxy pass the Host on: in nginx, proxy_set_header Host $http_host;";

function isOwnOrigin(request: Request, host: string): boolean {
  const origin = request.headers.get("origin");
  if (origin !== null) return URL.parse(origin)?.host === host;
  const site = request.headers.get("sec-fetch-site");
  return site === null || site === "same-origin" || site === "none";
}

/** The scheme counts too: a page over plain HTTP can be anybody's. */
function isProvenOwnOrigin(request: Request, client: ClientConnection): boolean {
  const origin = request.headers.get("origin");
  if (origin !== null) return URL.parse(origin)?.origin === client.secureOrigin();
  return request.headers.get("sec-fetch-site") === "same-origin";
}
