// The typed client: one function a route, and no behaviour of its own. It also runs in a browser, so it carries no
// schemas: it imports the paths of the table, and of the rest only the types.
import { EVENT_STREAM_TYPE } from "#contract/media-types.ts";
import { paths, type RouteName } from "#contract/paths.ts";
import type { Body, Params, Query, Reply } from "#contract/routes.ts";
import { type AnswerListener, readAnswer } from "./answer-stream.ts";
import { eventFeed, type FeedOptions } from "./event-feed.ts";
import { importExportOver } from "./import-export.ts";
import { type Importable, importOver } from "./import-stream.ts";
import { type CallOptions, type ClientOptions, type SentRequest, sendRequest, withBearer } from "./send-request.ts";

/** With `onText` the answer also comes in pieces while it is made. */
export type AnswerOptions = CallOptions &
  (AnswerListener | { readonly onText?: undefined; readonly onRestart?: undefined });

export type Client = ReturnType<typeof createClient>;

export function createClient({ baseUrl = "", fetch: plain = globalThis.fetch, bearer }: ClientOptions = {}) {
  const fetch = bearer === undefined ? plain : withBearer(plain, bearer);
  const service = { baseUrl, fetch };

  async function call<N extends RouteName>(name: N, sent: SentRequest = {}): Promise<Reply<N>> {
    return (await sendRequest(service, paths[name], sent)).json() as Promise<Reply<N>>;
  }

  async function ask<N extends "chat" | "companion">(name: N, body: Body<N>, options: AnswerOptions = {}) {
    const { onText, onRestart, ...sent } = options;
    if (onText === undefined) return call(name, { body, ...sent });
    const response = await sendRequest(service, paths[name], { body, ...sent, headers: { accept: EVENT_STREAM_TYPE } });
    return readAnswer(response, { onText, onRestart });
  }

  return {
    chat: (body: Body<"chat">, options?: AnswerOptions) => ask("chat", body, options),
    companion: (body: Body<"companion">, options?: AnswerOptions) => ask("companion", body, options),
    recall: (body: Body<"recall">, options?: CallOptions) => call("recall", { body, ...options }),
    capture: (body: Body<"capture">, options?: CallOptions) => call("capture", { body, ...options }),
    listMemories: (query: Query<"listMemories"> = {}, options?: CallOptions) =>
      call("listMemories", { query, ...options }),
    /** Results come as the facts are stored. A browser may refuse to send while it reads: give it a small Blob. */
    importMemories: (lines: Importable, { signal }: CallOptions = {}) =>
      importOver(fetch, `${baseUrl}${paths.importMemories.path}`, lines, signal),
    getMemory: (params: Params<"getMemory">, options?: CallOptions) => call("getMemory", { params, ...options }),
    forgetMemory: (params: Params<"forgetMemory">, query: Query<"forgetMemory"> = {}, options?: CallOptions) =>
      call("forgetMemory", { params, query, ...options }),
    forgetMemories: (body: Body<"forgetMemories">, options?: CallOptions) =>
      call("forgetMemories", { body, ...options }),
    listUses: (params: Params<"listUses">, query: Query<"listUses"> = {}, options?: CallOptions) =>
      call("listUses", { params, query, ...options }),
    getTombstone: (params: Params<"getTombstone">, options?: CallOptions) =>
      call("getTombstone", { params, ...options }),
    listNamespaces: (query: Query<"listNamespaces"> = {}, options?: CallOptions) =>
      call("listNamespaces", { query, ...options }),
    getNamespace: (params: Params<"getNamespace">, options?: CallOptions) =>
      call("getNamespace", { params, ...options }),
    putNamespace: (params: Params<"putNamespace">, body: Body<"putNamespace">, options?: CallOptions) =>
      call("putNamespace", { params, body, ...options }),
    getByKey: (params: Params<"getByKey">, query: Query<"getByKey"> = {}, options?: CallOptions) =>
      call("getByKey", { params, query, ...options }),
    forgetByKey: (params: Params<"forgetByKey">, query: Query<"forgetByKey"> = {}, options?: CallOptions) =>
      call("forgetByKey", { params, query, ...options }),
    updateMemory: (params: Params<"updateMemory">, body: Body<"updateMemory">, options?: CallOptions) =>
      call("updateMemory", { params, body, ...options }),
    getPolicy: (options?: CallOptions) => call("getPolicy", options),
    setAccess: (body: Body<"setAccess">, options?: CallOptions) => call("setAccess", { body, ...options }),
    listPolicyChanges: (query: Query<"listPolicyChanges"> = {}, options?: CallOptions) =>
      call("listPolicyChanges", { query, ...options }),
    listReceipts: (query: Query<"listReceipts"> = {}, options?: CallOptions) =>
      call("listReceipts", { query, ...options }),
    getReceipt: (params: Params<"getReceipt">, options?: CallOptions) => call("getReceipt", { params, ...options }),
    listBlocked: (params: Params<"listBlocked">, options?: CallOptions) => call("listBlocked", { params, ...options }),
    anchorReceipt: (body: Body<"anchorReceipt">, options?: CallOptions) => call("anchorReceipt", { body, ...options }),
    anchorOnChain: (body: Body<"anchorOnChain">, options?: CallOptions) => call("anchorOnChain", { body, ...options }),
    getOperatorsWord: (options?: CallOptions) => call("getOperatorsWord", options),
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
    /** In the text format of Prometheus. */
    getMetrics: async (options: CallOptions = {}) => (await sendRequest(service, paths.getMetrics, options)).text(),
    resetDemo: (options?: CallOptions) => call("resetDemo", options),
    listDecisions: (query: Query<"listDecisions"> = {}, options?: CallOptions) =>
      call("listDecisions", { query, ...options }),
    /** Goes on by itself when a connection breaks. After `reset`, load anew what you show. */
    listenToEvents: (options?: FeedOptions) => eventFeed(service, options),
    /** The lines of an export as they come. The last one is the trailer. */
    exportRecords: async (query: Query<"exportRecords"> = {}, options?: CallOptions) =>
      (await sendRequest(service, paths.exportRecords, { query, ...options })).body,
    /** Sends an export, and gives the steps of its import. */
    importRecords: (
      body: ReadableStream<Uint8Array> | Blob,
      query: Query<"importRecords"> = {},
      options?: CallOptions,
    ) => importExportOver(service, body, query, options),
    listKeys: (query: Query<"listKeys"> = {}, options?: CallOptions) => call("listKeys", { query, ...options }),
    createKey: (body: Body<"createKey">, options?: CallOptions) => call("createKey", { body, ...options }),
    rotateKey: (params: Params<"rotateKey">, body: Body<"rotateKey"> = {}, options?: CallOptions) =>
      call("rotateKey", { params, body, ...options }),
    revokeKey: (params: Params<"revokeKey">, options?: CallOptions) => call("revokeKey", { params, ...options }),
    getSession: (options?: CallOptions) => call("getSession", options),
    signIn: (body: Body<"signIn">, options?: CallOptions) => call("signIn", { body, ...options }),
    signOut: (options?: CallOptions) => call("signOut", options),
  } satisfies Record<RouteName, unknown>;
}
