import type { Place } from "#contract/paths.ts";
import { ProblemError, readProblem } from "#contract/problem.ts";

export interface ClientOptions {
  /** Where the service is, `http://127.0.0.1:3000` for example; left out, the page's own origin. */
  readonly baseUrl?: string;
  readonly fetch?: typeof globalThis.fetch;
  /** A key or a token, for a service that has identities. A page leaves it out: its browser has a session. */
  readonly bearer?: string | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** For requests that make something: a repeat with the same key makes nothing more. */
  readonly idempotencyKey?: string | undefined;
}

export interface SentRequest extends CallOptions {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls a route and gives its response. A problem is thrown. */
export async function sendRequest(
  { baseUrl, fetch }: Required<Omit<ClientOptions, "bearer">>,
  { method, path }: Pick<Place, "method" | "path">,
  { params, query, body, headers, signal, idempotencyKey }: SentRequest,
): Promise<Response> {
  const response = await fetch(`${baseUrl}${withParams(path, params)}${queryString(query)}`, {
    method,
    headers: {
      ...headers,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
  if (!response.ok) throw new ProblemError(await readProblem(response));
  return response;
}

/** Sends the bearer with every request. */
export function withBearer(fetch: typeof globalThis.fetch, bearer: string): typeof globalThis.fetch {
  return (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${bearer}`);
    return fetch(input, { ...init, headers });
  };
}

function withParams(path: string, params: object = {}): string {
  return Object.entries(params).reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  );
}

export function queryString(query: object = {}): string {
  const given = Object.entries(query).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
