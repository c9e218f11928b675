// Sends one request, again when that is safe, and within its time.
import type { Place } from "#contract/paths.ts";
import { isProblem, ProblemError } from "#contract/problem.ts";
import { jitteredBackoffMs } from "#core/backoff.ts";
import { ConnectionError, readProblem } from "./read-reply.ts";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** For requests that make something: a repeat with the same key makes nothing more. With retries there is always one. */
  readonly idempotencyKey?: string | undefined;
  readonly retries?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface Service {
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly retries: number;
  readonly timeoutMs: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SentRequest extends CallOptions {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
  /** In place of `body`: sent as it is. A stream can be read once, so it is never sent again. */
  readonly raw?: { readonly type: string; readonly body: ReadableStream<Uint8Array> | Blob };
  readonly headers?: Readonly<Record<string, string>>;
  readonly prefer?: "minimal" | undefined;
}

type SentPlace = Pick<Place, "method" | "idempotent" | "repeats"> & { readonly path: string };

/** Calls a route and gives what `read` makes of its response, within the time. A problem is thrown. */
export async function sendRequest<T>(
  service: Service,
  place: SentPlace,
  sent: SentRequest,
  read: (response: Response) => T | Promise<T>,
): Promise<T> {
  const { fetch } = service;
  const { signal = service.signal, retries = service.retries, timeoutMs = service.timeoutMs, raw } = sent;
  const idempotencyKey = sent.idempotencyKey ?? (retries > 0 && place.idempotent ? newKey() : undefined);
  const isRepeatable = mayRepeat(place, sent.body);
  const url = urlOf(service, place, sent);
  const deadline = startDeadline(timeoutMs, signal);
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        const request = initOf(place, { ...sent, idempotencyKey, signal: deadline.signal });
        const response = await fetch(url, request);
        if (!response.ok) throw new ProblemError(await readProblem(response), retryAfterOf(response));
        return await read(response);
      } catch (caught) {
        // Not what `fetch` makes of it: the reason itself.
        signal?.throwIfAborted();
        const error = deadline.error() ?? asConnectionError(caught, service.baseUrl);
        const mayRetry = attempt <= retries && isRereadable(raw);
        const wait = mayRetry ? pauseBeforeRetry(error, attempt, isRepeatable) : undefined;
        if (wait === undefined || wait >= deadline.remainingMs()) throw error;
        await pause(wait, deadline.signal);
        signal?.throwIfAborted();
      }
    }
  } finally {
    deadline.end();
  }
}

export function withHeaders(
  fetch: typeof globalThis.fetch,
  added: Readonly<Record<string, string>>,
): typeof globalThis.fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(added)) headers.set(name, value);
    return fetch(input, { ...init, headers });
  };
}

/** Ends a call that takes too long, until `end`: whoever reads a stream then takes as long as they like. */
function startDeadline(ms: number | undefined, signal: AbortSignal | undefined) {
  if (ms === undefined) {
    return { signal, error: () => undefined, remainingMs: () => Number.POSITIVE_INFINITY, end: () => undefined };
  }
  const began = performance.now();
  const controller = new AbortController();
  const late = new ConnectionError("timeout", `The service has not answered within ${ms / 1_000} s.`);
  const timer = setTimeout(() => controller.abort(late), ms);
  return {
    signal: signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]),
    error: () => (controller.signal.aborted ? late : undefined),
    remainingMs: () => ms - (performance.now() - began),
    end: () => clearTimeout(timer),
  };
}

function initOf(
  { method }: SentPlace,
  { body, raw, headers, prefer, signal, idempotencyKey }: SentRequest,
): RequestInit {
  const type = raw?.type ?? (body === undefined ? undefined : "application/json");
  const init = {
    method,
    headers: {
      ...headers,
      ...(type !== undefined && { "content-type": type }),
      ...(prefer !== undefined && { prefer: `return=${prefer}` }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(raw !== undefined && { body: raw.body, duplex: "half" }),
    ...(signal !== undefined && { signal }),
  };
  return init as RequestInit;
}

const isRereadable = (raw: SentRequest["raw"]): boolean => raw === undefined || raw.body instanceof Blob;

/** `crypto.randomUUID` would do, but a page without TLS has none. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function urlOf({ baseUrl }: Service, { path }: SentPlace, { params = {}, query }: SentRequest): string {
  const filled = Object.entries(params).reduce<string>(
    (text, [name, value]) => text.replace(`{${name}}`, () => segmentOf(value)),
    path,
  );
  return `${baseUrl}${filled}${queryString(query)}`;
}

/** `..` is a step up for every parser of URLs: the request would reach another route, and `%2e%2e` is the same. */
export function segmentOf(value: unknown): string {
  const segment = encodeURIComponent(String(value));
  if (segment === "." || segment === "..") throw new TypeError(`"${segment}" cannot be a part of a path.`);
  return segment;
}

export function queryString(query: object = {}): string {
  const given = Object.entries(query).flatMap(([key, value]): [string, string][] =>
    value === undefined
      ? []
      : typeof value === "object"
        ? Object.entries(value).map(([name, member]) => [`${key}.${name}`, String(member)])
        : [[key, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

/** `fetch` fails with a TypeError when there is no connection, or the connection ends in the middle of a body. */
function asConnectionError(error: unknown, baseUrl: string): unknown {
  if (error instanceof SyntaxError)
    return new ConnectionError("broken-off", "The response is not complete, or it is not from this service.", error);
  if (!(error instanceof TypeError)) return error;
  const where = baseUrl === "" ? "The service" : `The service at ${baseUrl}`;
  // Node says "fetch failed", and has the reason in the cause.
  return new ConnectionError("unreachable", `${where} cannot be reached.`, error.cause ?? error);
}

// A request that may have been carried out is sent again only if a repeat makes nothing more: a GET, one with an
// Idempotency-Key, or a revoke. Any request is that the service refused to begin.
const PAUSES = { firstMs: 250, longestMs: 8_000 };
/** A proxy's own answer, when it did not get one of the service or has too many requests. */
const GATEWAY_STATUS: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** No grant: somebody may have revoked it meanwhile. Nor a change of one version: the first may have made the next. */
function mayRepeat({ method, idempotent, repeats }: SentPlace, body: unknown): boolean {
  if (repeats !== "revokes") return method === "GET" || idempotent !== undefined || repeats === "always";
  type Rule = { readonly allowed?: boolean | null };
  const { rules = [body as Rule], ifVersion } = body as { rules?: readonly Rule[]; ifVersion?: number };
  return ifVersion === undefined && rules.every(({ allowed }) => allowed === false || allowed === null);
}

/** How long to wait before request number `attempt + 1`; undefined: do not send it. `attempt` counts from 1. */
function pauseBeforeRetry(error: unknown, attempt: number, isRepeatable: boolean): number | undefined {
  if (!wasRefused(error) && !(isRepeatable && mayPass(error))) return undefined;
  const asked = isProblem(error) ? (error.retryAfterMs ?? 0) : 0;
  return asked + jitteredBackoffMs(attempt - 1, PAUSES);
}

/** The service did not begin with it. */
const wasRefused = (error: unknown): boolean => isProblem(error, "too-many-requests", "overloaded");

/** Another try may succeed. A time-out ends all of them, and what is too large comes again. */
function mayPass(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.code !== "timeout" && error.code !== "too-large";
  if (!isProblem(error)) return false;
  if (error.code === "unexpected-response") return GATEWAY_STATUS.has(error.status);
  return error.code === "in-progress" || (error.status === 503 && error.retryAfterMs !== undefined);
}

/** In milliseconds. Other forms than seconds are not read: no service of ours sends them. */
function retryAfterOf({ headers }: Response): number | undefined {
  const text = headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : undefined;
}

/** Resolves after the time, or as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
}
