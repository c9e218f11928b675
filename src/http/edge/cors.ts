// Cross-origin resource sharing: pages of the origins in CORS_ORIGINS may call the API with a key or a token of their own.
// Nothing ever allows credentials mode, so no page elsewhere acts with the session of a browser.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpReply } from "#http/answer/reply.ts";

const EXPOSED = "ETag, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id";
const REQUEST_HEADERS = [
  "Accept, Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Portcullis-Agent, X-Request-Id",
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
