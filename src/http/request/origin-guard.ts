// Keeps web pages of other sites from using the service: one without authentication on somebody's own machine, and one
// that a browser has a session with.
import { HttpError } from "#http/http-error.ts";
import { credentialsOf } from "./credentials.ts";
import { isLoopbackHost, secureOrigin } from "./loopback.ts";

/** RFC 9110, 9.2.1: methods that change nothing. */
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * On loopback the Host must name loopback. A page whose own name was made to resolve to 127.0.0.1 ("DNS rebinding") sends
 * its own name. And a browser's request with an unsafe method must come from our own origin. A request with a session's
 * cookie comes from a browser, so it must say so itself.
 */
export function guardOrigin(request: Request, { loopbackOnly }: { loopbackOnly: boolean }): void {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (loopbackOnly && !isLoopbackHost(host)) {
    throw new HttpError("forbidden-host", "This service answers to names of this machine only, such as 127.0.0.1.");
  }
  if (SAFE_METHODS.has(request.method)) return;
  const hasSession = credentialsOf(request).session !== undefined;
  if (!isOwnOrigin(request, host) || (hasSession && !isProvenOwnOrigin(request))) {
    throw new HttpError("cross-origin", "A page of another site may not change anything here.");
  }
}

function isOwnOrigin(request: Request, host: string): boolean {
  const origin = request.headers.get("origin");
  if (origin !== null) return URL.parse(origin)?.host === host;
  const site = request.headers.get("sec-fetch-site");
  return site === null || site === "same-origin" || site === "none";
}

/** The scheme counts too: a page over plain HTTP can be anybody's. */
function isProvenOwnOrigin(request: Request): boolean {
  const origin = request.headers.get("origin");
  if (origin !== null) return URL.parse(origin)?.origin === secureOrigin(request);
  return request.headers.get("sec-fetch-site") === "same-origin";
}
