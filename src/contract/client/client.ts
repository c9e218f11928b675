// The typed client: one function a route, no behaviour of its own. It also runs in a browser, so it carries no schemas:
// of the table it takes the paths, and of the rest only the types.

import { IMPORT_PATH, paths, type RouteName } from "#contract/paths.ts";
import { ProblemError, problemOf } from "#contract/problem.ts";
import type { Body, Params, Query, Reply } from "#contract/routes.ts";
import { answerFrom, type Telling } from "./answer-stream.ts";
import { type Importable, importOver } from "./import-stream.ts";
import { EVENT_STREAM } from "./server-sent-events.ts";

export interface ClientOptions {
  /** Where the service is, `http://127.0.0.1:3000` for example; left out, the page's own origin. */
  readonly baseUrl?: string;
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** With `onText` the answer comes in pieces, and at the end whole all the same. */
export type AnswerOptions = CallOptions & (Telling | { readonly onText?: undefined; readonly onRestart?: undefined });

export type Client = ReturnType<typeof createClient>;

export function createClient({ baseUrl = "", fetch = globalThis.fetch }: ClientOptions = {}) {
  async function request(name: RouteName, { params, body, query, signal, headers }: Sent): Promise<Response> {
    const { method, path } = paths[name];
    const response = await fetch(`${baseUrl}${filled(path, params)}${search(query)}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
    if (!response.ok) throw new ProblemError(await problemOf(response));
    return response;
  }

  async function call<N extends RouteName>(name: N, sent: Sent = {}): Promise<Reply<N>> {
    return (await request(name, sent)).json() as Promise<Reply<N>>;
  }

  async function ask<N extends "chat" | "companion">(name: N, body: Body<N>, options: AnswerOptions = {}) {
    const { signal, onText, onRestart } = options;
    if (onText === undefined) return call(name, { body, signal });
    const response = await request(name, { body, signal, headers: { accept: EVENT_STREAM } });
    return answerFrom(response, { onText, onRestart });
  }

  const ofTable = {
    chat: (body: Body<"chat">, options?: AnswerOptions) => ask("chat", body, options),
    companion: (body: Body<"companion">, options?: AnswerOptions) => ask("companion", body, options),
    capture: (body: Body<"capture">, options?: CallOptions) => call("capture", { body, ...options }),
    listMemories: (query: Query<"listMemories"> = {}, options?: CallOptions) =>
      call("listMemories", { query, ...options }),
    getMemory: (params: Params<"getMemory">, options?: CallOptions) => call("getMemory", { params, ...options }),
    getPolicy: (options?: CallOptions) => call("getPolicy", options),
    setAccess: (body: Body<"setAccess">, options?: CallOptions) => call("setAccess", { body, ...options }),
    listPolicyChanges: (query: Query<"listPolicyChanges"> = {}, options?: CallOptions) =>
      call("listPolicyChanges", { query, ...options }),
    listReceipts: (query: Query<"listReceipts"> = {}, options?: CallOptions) =>
      call("listReceipts", { query, ...options }),
    getReceipt: (params: Params<"getReceipt">, options?: CallOptions) => call("getReceipt", { params, ...options }),
    anchorReceipt: (body: Body<"anchorReceipt">, options?: CallOptions) => call("anchorReceipt", { body, ...options }),
    anchorOnChain: (body: Body<"anchorOnChain">, options?: CallOptions) => call("anchorOnChain", { body, ...options }),
    verify: (params: Params<"verify">, query: Query<"verify"> = {}, options?: CallOptions) =>
      call("verify", { params, query, ...options }),
    getLedger: (options?: CallOptions) => call("getLedger", options),
    ledgerObject: (params: Params<"ledgerObject">, options?: CallOptions) =>
      call("ledgerObject", { params, ...options }),
    ledgerTransaction: (params: Params<"ledgerTransaction">, options?: CallOptions) =>
      call("ledgerTransaction", { params, ...options }),
    ledgerTransactions: (query: Query<"ledgerTransactions"> = {}, options?: CallOptions) =>
      call("ledgerTransactions", { query, ...options }),
    getOverview: (options?: CallOptions) => call("getOverview", options),
    getService: (options?: CallOptions) => call("getService", options),
    resetDemo: (options?: CallOptions) => call("resetDemo", options),
  } satisfies Record<RouteName, unknown>;

  return {
    ...ofTable,
    /** Results come as the facts are stored. A browser may refuse to send while it reads: give it a Blob, a small one. */
    importMemories: (lines: Importable, { signal }: CallOptions = {}) =>
      importOver(fetch, `${baseUrl}${IMPORT_PATH}`, lines, signal),
  };
}

interface Sent extends CallOptions {
  readonly params?: object;
  readonly body?: unknown;
  readonly query?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

function filled(path: string, params: object = {}): string {
  return Object.entries(params).reduce(
    (filling, [name, value]) => filling.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  );
}

function search(query: object = {}): string {
  const given = Object.entries(query).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
