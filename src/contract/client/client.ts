// The typed client: one function a route, and no behaviour of its own. It also runs in a browser, so it carries no
// schemas: it imports the paths of the table, and of the rest only the types.
import { EVENT_STREAM_TYPE } from "#contract/media-types.ts";
import { paths, type RouteName } from "#contract/paths.ts";
import type { Body, Params, Query, Reply } from "#contract/routes.ts";
import { readAnswer } from "./answer-stream.ts";
import type { AnswerOptions, Client } from "./client-functions.ts";
import { eventFeed } from "./event-feed.ts";
import { importExportOver } from "./import-export.ts";
import { importOver } from "./import-stream.ts";
import { elementsOf, pagesOf } from "./pages.ts";
import { type CallOptions, type SentRequest, sendRequest, withBearer } from "./send-request.ts";

export type { AnswerOptions, Client } from "./client-functions.ts";

/** The routes that give pages. */
type ListRoute = {
  [N in RouteName]: Reply<N> extends { nextCursor?: string | undefined }
    ? Query<N> extends undefined
      ? never
      : N
    : never;
}[RouteName];

export interface ClientOptions {
  /** Where the service is, `http://127.0.0.1:3000` for example; left out, the page's own origin. */
  readonly baseUrl?: string | undefined;
  /** A key or a token, for a service that has identities. A page of the service leaves it out: its browser has a session. */
  readonly bearer?: string | undefined;
  /** How often a request is sent again, at most, when that is safe. */
  readonly retries?: number | undefined;
  /** How long a call may take, with its retries; of a stream, until it begins. */
  readonly timeoutMs?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export function createClient({
  baseUrl = "",
  fetch: plain = globalThis.fetch,
  bearer,
  retries = 0,
  timeoutMs,
}: ClientOptions = {}): Client {
  const fetch = bearer === undefined ? plain : withBearer(plain, bearer);
  const service = { baseUrl: baseUrl.replace(/\/$/, ""), fetch, retries, timeoutMs };

  function call<N extends RouteName>(name: N, sent: SentRequest = {}): Promise<Reply<N>> {
    return sendRequest(service, paths[name], sent, (response) => response.json() as Promise<Reply<N>>);
  }

  /** A list, and its pages as iterators. `elements` finds them in a page. */
  function listing<N extends ListRoute, T>(name: N, elements: (page: Reply<N>) => readonly T[], params?: object) {
    const load = (query: Query<N> | undefined, options?: CallOptions) =>
      call(name, { ...(params && { params }), query: query ?? {}, ...options });
    const pages = (query?: Query<N>, options?: CallOptions) =>
      pagesOf((at) => load(at, options), query ?? ({} as Query<N>));
    const all = (query?: Query<N>, options?: CallOptions) => elementsOf(pages(query, options), elements);
    return Object.assign(load, { pages, all });
  }
  const usesOf = (params: Params<"listUses">) => listing("listUses", ({ uses }) => uses, params);

  async function ask<N extends "chat" | "companion">(name: N, body: Body<N>, options: AnswerOptions = {}) {
    const { onGate, onText, onRestart, ...sent } = options;
    if (onText === undefined) return call(name, { body, ...sent });
    const headers = { accept: EVENT_STREAM_TYPE };
    const response = await sendRequest(service, paths[name], { body, ...sent, headers }, (begun) => begun);
    return readAnswer(response, { onGate, onText, onRestart });
  }

  return {
    chat: (body, options) => ask("chat", body, options),
    companion: (body, options) => ask("companion", body, options),
    recall: (body, options) => call("recall", { body, ...options }),
    capture: (body, options) => call("capture", { body, ...options }),
    listMemories: listing("listMemories", ({ memories }) => memories),
    importMemories: (lines, options) => importOver(service, lines, options),
    getMemory: (params, options) => call("getMemory", { params, ...options }),
    forgetMemory: (params, query = {}, options) => call("forgetMemory", { params, query, ...options }),
    forgetMemories: (body, options) => call("forgetMemories", { body, ...options }),
    listUses: Object.assign(
      (params: Params<"listUses">, query?: Query<"listUses">, options?: CallOptions) => usesOf(params)(query, options),
      {
        all: (params: Params<"listUses">, query?: Query<"listUses">, options?: CallOptions) =>
          usesOf(params).all(query, options),
        pages: (params: Params<"listUses">, query?: Query<"listUses">, options?: CallOptions) =>
          usesOf(params).pages(query, options),
      },
    ),
    getTombstone: (params, options) => call("getTombstone", { params, ...options }),
    listNamespaces: listing("listNamespaces", ({ namespaces }) => namespaces),
    getNamespace: (params, options) => call("getNamespace", { params, ...options }),
    putNamespace: (params, body, options) => call("putNamespace", { params, body, ...options }),
    getByKey: (params, query = {}, options) => call("getByKey", { params, query, ...options }),
    forgetByKey: (params, query = {}, options) => call("forgetByKey", { params, query, ...options }),
    updateMemory: (params, body, options) => call("updateMemory", { params, body, ...options }),
    getPolicy: (options) => call("getPolicy", options),
    setAccess: (body, options) => call("setAccess", { body, ...options }),
    listPolicyChanges: listing("listPolicyChanges", ({ changes }) => changes),
    listReceipts: listing("listReceipts", ({ receipts }) => receipts),
    getReceipt: (params, options) => call("getReceipt", { params, ...options }),
    listBlocked: (params, options) => call("listBlocked", { params, ...options }),
    anchorReceipt: (body, options) => call("anchorReceipt", { body, ...options }),
    anchorOnChain: (body, options) => call("anchorOnChain", { body, ...options }),
    getOperatorsWord: (options) => call("getOperatorsWord", options),
    findAnchors: (params, options) => call("findAnchors", { params, ...options }),
    verify: (params, query = {}, options) => call("verify", { params, query, ...options }),
    getLedger: (options) => call("getLedger", options),
    ledgerObject: (params, options) => call("ledgerObject", { params, ...options }),
    ledgerTransaction: (params, options) => call("ledgerTransaction", { params, ...options }),
    ledgerTransactions: listing("ledgerTransactions", ({ transactions }) => transactions),
    getOverview: (options) => call("getOverview", options),
    getReports: (query = {}, options) => call("getReports", { query, ...options }),
    getService: (options) => call("getService", options),
    getMetrics: (options = {}) => sendRequest(service, paths.getMetrics, options, (response) => response.text()),
    resetDemo: (options) => call("resetDemo", options),
    listDecisions: listing("listDecisions", ({ decisions }) => decisions),
    listenToEvents: (options) => eventFeed(service, options),
    exportRecords: (query = {}, options) =>
      sendRequest(service, paths.exportRecords, { query, ...options }, (response) => response.body),
    importRecords: (body, query = {}, options) => importExportOver(service, body, query, options),
    listKeys: listing("listKeys", ({ keys }) => keys),
    createKey: (body, options) => call("createKey", { body, ...options }),
    rotateKey: (params, body = {}, options) => call("rotateKey", { params, body, ...options }),
    revokeKey: (params, options) => call("revokeKey", { params, ...options }),
    getSession: (options) => call("getSession", options),
    signIn: (body, options) => call("signIn", { body, ...options }),
    signOut: (options) => call("signOut", options),
  };
}
