// Keeps web pages of other sites from using a service that runs without authentication on somebody's own machine.
import { HttpError } from "#http/http-error.ts";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
/** RFC 9110, 9.2.1: methods that change nothing. */
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * On loopback the Host must name loopback. A page whose own name was made to resolve to 127.0.0.1 ("DNS rebinding") sends
 * its own name. And a browser's request with an unsafe method must come from our own origin.
 */
export function guardOrigin(request: Request, { loopbackOnly }: { loopbackOnly: boolean }): void {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (loopbackOnly && !LOOPBACK.test(host)) {
    throw new HttpError("forbidden-host", "This service answers to names of this machine only, such as 127.0.0.1.");
  }
  if (!SAFE_METHODS.has(request.method) && !isOwnOrigin(request, host)) {
    throw new HttpError("cross-origin", "A page of another site may not change anything here.");
  }
}

function isOwnOrigin(request: Request, host: string): boolean {
  const origin = request.headers.get("origin");
  if (origin !== null) return URL.parse(origin)?.host === host;
  const site = request.headers.get("sec-fetch-site");
  return site === null || site === "same-origin" || site === "none";
}
