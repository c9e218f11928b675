// One HTTP request and its response. The body is read to its end, so that the connection can be used again, but never
// further than a limit. Every failure except an abort is a value; parse-response.ts decides what it means.
import { Agent as HttpAgent, type IncomingMessage, request as overHttp } from "node:http";
import { Agent as HttpsAgent, request as overHttps } from "node:https";
import { forwardAbort, untilAborted } from "#async/with-deadline.ts";
import { retryAfterMs } from "#core/backoff.ts";
import { PortcullisError } from "#core/errors.ts";
import type { PutOptions } from "#ports.ts";

export type HttpReply =
  | {
      readonly kind: "complete";
      readonly status: number;
      readonly body: Uint8Array;
      readonly retryAfterMs?: number | undefined;
    }
  /** The connection ended before the body did. */
  | { readonly kind: "truncated"; readonly status: number; readonly body: Uint8Array; readonly cause: Error }
  | { readonly kind: "too-large"; readonly status: number }
  | { readonly kind: "unreachable"; readonly isReset: boolean; readonly cause: Error };

interface ExchangeInit extends Omit<FetchInit, "redirect" | "onSent">, Pick<PutOptions, "fence"> {
  readonly maxBytes: number;
}

export async function exchange(
  fetch: Fetch,
  url: string,
  { maxBytes, fence, ...init }: ExchangeInit,
): Promise<HttpReply> {
  const { signal } = init;
  signal.throwIfAborted();
  const send = async (more: Partial<FetchInit> = {}) =>
    readBody(await fetch(url, { ...init, redirect: "manual", ...more }), maxBytes);
  try {
    return await untilAborted(signal, fence === undefined ? send() : sendBehind(fence, signal, send));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PortcullisError) throw error;
    return { kind: "unreachable", isReset: RESETS.has(codeOf(error) ?? ""), cause: withoutMessage(error) };
  }
}

/** The fence is held until the request has left. A fence that is lost before cuts the connection. */
async function sendBehind(
  fence: NonNullable<PutOptions["fence"]>,
  signal: AbortSignal,
  send: (init: Partial<FetchInit>) => Promise<HttpReply>,
): Promise<HttpReply> {
  const controller = new AbortController();
  const unlink = forwardAbort(signal, controller);
  let reply: Promise<HttpReply> | undefined;
  try {
    await fence(async (lost) => {
      lost.throwIfAborted();
      const release = forwardAbort(lost, controller);
      const { promise: sent, resolve: onSent } = Promise.withResolvers<void>();
      reply = send({ signal: controller.signal, onSent });
      // Whatever ends it, nothing more leaves.
      await Promise.race([sent, Promise.allSettled([reply])]);
      release();
      lost.throwIfAborted();
    });
    if (reply === undefined) throw new Error("the fence did not run its action");
    return await reply;
  } finally {
    unlink();
  }
}

async function readBody({ status, headers, body }: Fetched, maxBytes: number): Promise<HttpReply> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    // Leaving the loop early closes the connection, so the server stops sending.
    for await (const chunk of body ?? []) {
      length += chunk.length;
      if (length > maxBytes) return { kind: "too-large", status };
      chunks.push(chunk);
    }
  } catch (error) {
    return { kind: "truncated", status, body: Buffer.concat(chunks), cause: withoutMessage(error) };
  }
  const pauseMs = retryAfterMs(headers.get("Retry-After"), Date.now());
  return { kind: "complete", status, body: Buffer.concat(chunks), retryAfterMs: pauseMs };
}

const RESETS = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** The first code in the chain of causes. The global fetch itself only says "fetch failed". */
function codeOf(error: unknown): string | undefined {
  let at = error;
  for (let depth = 0; depth < 5 && at instanceof Error; depth += 1, at = at.cause) {
    if ("code" in at && typeof at.code === "string" && /^[A-Z]\w{1,47}$/.test(at.code)) return at.code;
  }
  return undefined;
}

/** A cause that is safe to show. Messages of HTTP clients may quote URLs and headers, so only the code is kept. */
function withoutMessage(error: unknown): Error {
  const code = codeOf(error);
  return Object.assign(new Error(code ?? "The connection failed."), code !== undefined && { code });
}

// The part of fetch that this adapter needs, over Node's own HTTP client. The many small reads of one answer are bound
// by CPU time, and the global fetch takes almost twice as much. No redirects, no compression, no cookies, no cache.

interface FetchInit {
  readonly method: "GET" | "PUT";
  readonly headers: Record<string, string>;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
  readonly redirect: "manual";
  /** Called when the operating system has all bytes of the request. The global fetch does not tell. */
  readonly onSent?: (() => void) | undefined;
}

/** The global fetch has this type too. */
export type Fetch = (url: string, init: FetchInit) => Promise<Fetched>;

interface Fetched {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

// Connections live as long as the process. The semaphores in walrus-blobs.ts bound their number.
const httpAgent = new HttpAgent({ keepAlive: true });
const httpsAgent = new HttpsAgent({ keepAlive: true });

export const httpFetch: Fetch = (url, { method, headers, body, signal, onSent }) => {
  const { promise, resolve, reject } = Promise.withResolvers<Fetched>();
  // Some CDNs refuse requests without a User-Agent.
  const options = { ...addressOf(url), method, headers: { Accept: "*/*", "User-Agent": "portcullis", ...headers } };
  const request = url.startsWith("https:")
    ? overHttps({ ...options, agent: httpsAgent })
    : overHttp({ ...options, agent: httpAgent });
  request.on("response", (response) => resolve(fetched(response)));
  request.on("error", reject);
  // The option `signal` of `request` does the same, but costs more: it watches the whole stream for its end.
  const stop = () => request.destroy();
  signal.addEventListener("abort", stop, { once: true });
  request.on("close", () => signal.removeEventListener("abort", stop));
  request.end(body, onSent);
  return promise;
};

// A cache, because parsing the URL of every read is measurable. There are few origins, and they never change.
const origins = new Map<string, { readonly hostname: string; readonly port: string }>();

function addressOf(url: string): { hostname: string; port: string; path: string } {
  const end = url.indexOf("/", "https://".length);
  const origin = url.slice(0, end);
  const { hostname, port } = origins.get(origin) ?? new URL(origin);
  origins.set(origin, { hostname, port });
  // Node takes an IPv6 address without its brackets.
  return { hostname: hostname.replace(/^\[|\]$/g, ""), port, path: url.slice(end) };
}

function fetched(response: IncomingMessage): Fetched {
  return {
    status: response.statusCode ?? 0,
    headers: { get: (name) => [response.headers[name.toLowerCase()]].flat()[0] ?? null },
    body: response,
  };
}
