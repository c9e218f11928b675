// Keeps web pages of other sites from using the service: one without authentication on somebody's own machine, and one
// that a browser has a session with.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpReply } from "#http/answer/reply.ts";
import { HttpError } from "#http/http-error.ts";
import { type ClientConnection, credentialsOf, isLoopbackHost } from "./client-connection.ts";

/** RFC 9110, 9.2.1: methods that change nothing. */
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export interface GuardOptions {
  /** Serve only requests whose Host names this machine. */
  readonly loopbackOnly: boolean;
  /** Other origins whose pages may call us with credentials of their own, which are never a session's. */
  readonly sharedWith?: ReadonlySet<string> | undefined;
}

// On loopback the Host must name loopback: a page whose own name was made to resolve to 127.0.0.1 ("DNS rebinding") sends
// its own name. A browser's request with an unsafe method must come from our own origin; one with a session's cookie comes
// from a browser, so it must say so itself.
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

// Cross-origin resource sharing: pages of the origins in CORS_ORIGINS may call the API with a key or a token of their own.
// Nothing ever allows credentials mode, so no page elsewhere acts with the session of a browser.

const EXPOSED = "ETag, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id";
const REQUEST_HEADERS = [
  "Accept, Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Portcullis-Agent, Portcullis-Tenant, Prefer, X-Request-Id",
  // Of clients of MCP.
  "Mcp-Method, Mcp-Name, MCP-Protocol-Version",
].join(", ");
const PREFLIGHT_SECONDS = "600";

const ALLOWED = "access-control-allow-origin";

/** Adds to every reply what a browser needs to know, also to those that never reach the app. */
export function createCors(origins: ReadonlySet<string>) {
  return function share({ headers: { origin } }: IncomingMessage, response: ServerResponse): void {
    if (origins.size === 0) return;
    // Without it a cache would give the reply for one origin to another.
    response.setHeader("vary", "origin");
    if (origin === undefined || !origins.has(origin)) return;
    response.setHeader(ALLOWED, origin);
    response.setHeader("access-control-expose-headers", EXPOSED);
  };
}

/** A browser asks on behalf of a page of an origin that may call us, before it sends the request itself. */
export function isPreflight({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
  return (
    method === "OPTIONS" &&
    headers["access-control-request-method"] !== undefined &&
    response.getHeader(ALLOWED) !== undefined
  );
}

export function preflightReply(methods: readonly string[]): HttpReply {
  const headers = {
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": REQUEST_HEADERS,
    "access-control-max-age": PREFLIGHT_SECONDS,
  };
  return { headers, body: "" };
}
