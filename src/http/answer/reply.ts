// A whole reply: status, headers and body. response-writer.ts sends it, with the headers that all replies have.
import { promisify } from "node:util";
import { brotliCompress, constants, gzip, type ZlibOptions } from "node:zlib";
import { PROBLEM_TYPE } from "#contract/media-types.ts";
import { MCP_PATH } from "#contract/paths.ts";
import type { Problem } from "#contract/problem.ts";
import { PROBLEMS } from "#contract/problem-status.ts";
import { PortcullisError } from "#core/errors.ts";
import type { ClientConnection } from "#http/edge/client-connection.ts";
import { HttpError } from "#http/http-error.ts";

/** No reply may be framed, sniffed for its type, or cached, unless it says otherwise itself. */
export const COMMON_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

export interface HttpReply {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** The body is kept in memory anyway, once for all replies that send it. */
  readonly isShared?: boolean;
}

/** What is given to a connection at a time. */
export const PIECE_BYTES = 32_768;

/** Of a long reply only the bytes are held while its client reads. A short one stays a text: Node writes it with the head. */
export function jsonReply(value: unknown, status = 200): HttpReply {
  const text = JSON.stringify(value);
  const body = text.length > PIECE_BYTES ? Buffer.from(text) : text;
  return { status, headers: { "content-type": "application/json" }, body };
}

export const withHeaders = (reply: HttpReply, headers: HttpReply["headers"]): HttpReply => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
});

/** For what anyone may read, from any page. */
export const READ_BY_ANYONE = { "cross-origin-resource-policy": "cross-origin", "access-control-allow-origin": "*" };

function taking(coding: string) {
  const accepted = new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`, "i");
  return ({ headers }: Pick<Request, "headers">): boolean => accepted.test(headers.get("accept-encoding") ?? "");
}

export const takesGzip = taking("gzip");
export const takesBrotli = taking("br");

/** At 9 it takes as long as the best of gzip, and is a tenth shorter. At 11 it is a sixth shorter. */
export async function brotlied(bytes: Uint8Array, quality: number): Promise<Uint8Array<ArrayBuffer>> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return new Uint8Array(await promisify(brotliCompress)(bytes, { params }));
}

export const gzipped = async (
  bytes: string | Uint8Array,
  options: ZlibOptions = {},
): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await promisify(gzip)(bytes, options));

/** A shorter one is as fast as it is. */
const WORTH_COMPRESSING = 4_096;

// Not for an answer, whose bytes must leave behind the fence. No reply holds a secret beside what a page of another site
// chose, which the length of a compressed one would tell.
export async function compressed(reply: HttpReply, isZipped: boolean): Promise<HttpReply> {
  if (reply.body.length < WORTH_COMPRESSING) return reply;
  if (!isZipped) return withHeaders(reply, { vary: "accept-encoding" });
  const zipped = { ...reply, body: await gzipped(reply.body) };
  return withHeaders(zipped, { vary: "accept-encoding", "content-encoding": "gzip" });
}

/** For who prefers it (RFC 7240): the reply says that it is one. */
export const minimalReply = (value: unknown): HttpReply =>
  withHeaders(jsonReply(value), { "preference-applied": "return=minimal" });

// Turns an error into a problem (RFC 9457).

export const RETRY_AFTER_SECONDS = 2;

export function problemOf(error: unknown, requestId?: string): Problem {
  const known = error instanceof PortcullisError || error instanceof HttpError ? error : undefined;
  const code = known?.code ?? "internal";
  const { status, title } = PROBLEMS[code];
  return {
    type: `urn:portcullis:problem:${code}`,
    title,
    status,
    code,
    // The message of an error that is not ours may quote a memory, so it is not shown.
    detail: known?.message ?? "The service failed. Tell the operator the request id.",
    ...(requestId !== undefined && { requestId }),
    ...known?.made,
    ...(known !== undefined && known.fields.length > 0 && { errors: [...known.fields] }),
  };
}

export function problemReply(problem: Problem, headers: Readonly<Record<string, string>> = {}): HttpReply {
  const retry =
    problem.status === 503 || problem.code === "in-progress" ? { "retry-after": String(RETRY_AFTER_SECONDS) } : {};
  return {
    status: problem.status,
    headers: { "content-type": PROBLEM_TYPE, ...retry, ...headers },
    body: JSON.stringify(problem),
  };
}

// What a refused caller is told about credentials: RFC 6750, and where an OAuth client finds the issuer (RFC 9728).

export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";

/** The header of a 401, and of a 403 for want of a role. Empty for any other problem. */
export function challengeOf(
  { code }: Pick<Problem, "code">,
  request: Request,
  client: ClientConnection,
  hasIssuer: boolean,
): Readonly<Record<string, string>> {
  if (code !== "unauthenticated" && code !== "forbidden") return {};
  const error = code === "forbidden" ? "insufficient_scope" : "invalid_token";
  // RFC 6750, 3.1: whoever sent no credentials is told no error.
  const hasFailed = code === "forbidden" || request.headers.has("authorization");
  // MCP is a resource of its own. All else is the service.
  const resource = new URL(request.url).pathname === MCP_PATH ? MCP_PATH : "";
  const metadata = `${client.secureOrigin()}${client.basePath}${RESOURCE_METADATA_PATH}${resource}`;
  const parameters = [
    'realm="portcullis"',
    ...(hasFailed ? [`error="${error}"`] : []),
    // A client that finds metadata begins to look for an issuer. Where there is none, it should ask for a key.
    ...(hasIssuer ? [`resource_metadata="${metadata}"`] : []),
  ];
  return { "www-authenticate": `Bearer ${parameters.join(", ")}` };
}
