// The functions of the client, one for each route, as a user of the package reads them.
import type { Body, Params, Query, Reply } from "#contract/routes.ts";
import type { AnswerListener } from "./answer-stream.ts";
import type { FeedEvent, FeedOptions } from "./event-feed.ts";
import type { Importable, ImportReply } from "./import-stream.ts";
import type { CallOptions } from "./send-request.ts";

/** With `onText` the answer also comes in pieces while it is made. */
export type AnswerOptions = CallOptions &
  (AnswerListener | { readonly onGate?: undefined; readonly onText?: undefined; readonly onRestart?: undefined });

/** A list in pages. The function itself gives one page. */
export interface Listing<Q, P, T> {
  (query?: Q, options?: CallOptions): Promise<P>;
  /** Every element, from the first page to the last: `for await (const memory of client.listMemories.all())`. */
  all(query?: Q, options?: CallOptions): AsyncGenerator<T, undefined>;
  /** The pages themselves. */
  pages(query?: Q, options?: CallOptions): AsyncGenerator<P, undefined>;
}

/** A list that belongs to something, which `params` names. */
export interface ListingOf<N, Q, P, T> {
  (params: N, query?: Q, options?: CallOptions): Promise<P>;
  /** Every element, from the first page to the last. */
  all(params: N, query?: Q, options?: CallOptions): AsyncGenerator<T, undefined>;
  /** The pages themselves. */
  pages(params: N, query?: Q, options?: CallOptions): AsyncGenerator<P, undefined>;
}

export interface Client {
  /** Asks as an agent. The gate runs first; the answer comes with its receipt. */
  chat(body: Body<"chat">, options?: AnswerOptions): Promise<Reply<"chat">>;
  /** Asks the health companion. Its answer says so when a namespace was closed to it. */
  companion(body: Body<"companion">, options?: AnswerOptions): Promise<Reply<"companion">>;
  /** The memories that an agent may use for a question, best first, for your own model. Always on record. */
  recall(body: Body<"recall">, options?: CallOptions): Promise<Reply<"recall">>;
  /** Stores a fact and remembers it. */
  capture(body: Body<"capture">, options?: CallOptions): Promise<Reply<"capture">>;
  /** Memories, newest first. Without any parameter all of them come at once. */
  listMemories: Listing<Query<"listMemories">, Reply<"listMemories">, Reply<"listMemories">["memories"][number]>;
  /** Results come as the facts are stored. A browser may refuse to send while it reads: give it a small Blob. */
  importMemories(lines: Importable, options?: CallOptions): AsyncGenerator<ImportReply, undefined>;
  /** One memory. */
  getMemory(params: Params<"getMemory">, options?: CallOptions): Promise<Reply<"getMemory">>;
  /** Forgets a memory. Final when it is answered. */
  forgetMemory(
    params: Params<"forgetMemory">,
    query?: Query<"forgetMemory">,
    options?: CallOptions,
  ): Promise<Reply<"forgetMemory">>;
  /** Forgets many memories, up to 2,000 a call. Call again with `nextCursor` while there is one. */
  forgetMemories(body: Body<"forgetMemories">, options?: CallOptions): Promise<Reply<"forgetMemories">>;
  /** The answers that were given a memory, newest first. */
  listUses: ListingOf<Params<"listUses">, Query<"listUses">, Reply<"listUses">, Reply<"listUses">["uses"][number]>;
  /** The signed tombstone of a forgotten memory. */
  getTombstone(params: Params<"getTombstone">, options?: CallOptions): Promise<Reply<"getTombstone">>;
  /** Namespaces that have memories or settings, by name. */
  listNamespaces: Listing<
    Query<"listNamespaces">,
    Reply<"listNamespaces">,
    Reply<"listNamespaces">["namespaces"][number]
  >;
  /** One namespace. */
  getNamespace(params: Params<"getNamespace">, options?: CallOptions): Promise<Reply<"getNamespace">>;
  /** Says what a namespace is for, how long its memories are kept, and whether they are encrypted. */
  putNamespace(
    params: Params<"putNamespace">,
    body: Body<"putNamespace">,
    options?: CallOptions,
  ): Promise<Reply<"putNamespace">>;
  /** The memory that its source agent captured under a key. */
  getByKey(params: Params<"getByKey">, query?: Query<"getByKey">, options?: CallOptions): Promise<Reply<"getByKey">>;
  /** Forgets the memory under a key. */
  forgetByKey(
    params: Params<"forgetByKey">,
    query?: Query<"forgetByKey">,
    options?: CallOptions,
  ): Promise<Reply<"forgetByKey">>;
  /** Pins or unpins a memory. */
  updateMemory(
    params: Params<"updateMemory">,
    body: Body<"updateMemory">,
    options?: CallOptions,
  ): Promise<Reply<"updateMemory">>;
  /** The policy and its version. */
  getPolicy(options?: CallOptions): Promise<Reply<"getPolicy">>;
  /** Allows or revokes an agent's use of a namespace. */
  setAccess(body: Body<"setAccess">, options?: CallOptions): Promise<Reply<"setAccess">>;
  /** The changes of the policy, newest first. */
  listPolicyChanges: Listing<
    Query<"listPolicyChanges">,
    Reply<"listPolicyChanges">,
    Reply<"listPolicyChanges">["changes"][number]
  >;
  /** The receipts on record, newest first, with their anchors. */
  listReceipts: Listing<Query<"listReceipts">, Reply<"listReceipts">, Reply<"listReceipts">["receipts"][number]>;
  /** One receipt on record, with its anchors. */
  getReceipt(params: Params<"getReceipt">, options?: CallOptions): Promise<Reply<"getReceipt">>;
  /** All namespaces that were blocked for an answer. */
  listBlocked(params: Params<"listBlocked">, options?: CallOptions): Promise<Reply<"listBlocked">>;
  /** Stores a receipt as a blob. */
  anchorReceipt(body: Body<"anchorReceipt">, options?: CallOptions): Promise<Reply<"anchorReceipt">>;
  /** Stores a receipt as a blob and records its digest on the ledger. */
  anchorOnChain(body: Body<"anchorOnChain">, options?: CallOptions): Promise<Reply<"anchorOnChain">>;
  /** The keys that sign receipts, and where anchors are recorded: the operator's word, for a verifier to pin. */
  getOperatorsWord(options?: CallOptions): Promise<Reply<"getOperatorsWord">>;
  /** The anchors that anyone may know of, by any id of theirs. Rejects with `not-found` when there are none. */
  findAnchors(params: Params<"findAnchors">, options?: CallOptions): Promise<Reply<"findAnchors">>;
  /** Verifies an anchored receipt, as the service sees it. */
  verify(params: Params<"verify">, query?: Query<"verify">, options?: CallOptions): Promise<Reply<"verify">>;
  /** The ledger's network and package, for a verifier. */
  getLedger(options?: CallOptions): Promise<Reply<"getLedger">>;
  /** An object of the local ledger, decoded and as BCS. */
  ledgerObject(params: Params<"ledgerObject">, options?: CallOptions): Promise<Reply<"ledgerObject">>;
  /** A transaction of the local ledger, decoded and as BCS. */
  ledgerTransaction(params: Params<"ledgerTransaction">, options?: CallOptions): Promise<Reply<"ledgerTransaction">>;
  /** The local ledger's transactions, newest first. */
  ledgerTransactions: Listing<
    Query<"ledgerTransactions">,
    Reply<"ledgerTransactions">,
    Reply<"ledgerTransactions">["transactions"][number]
  >;
  /** Counts of memories, answers and anchors. */
  getOverview(options?: CallOptions): Promise<Reply<"getOverview">>;
  /** Accesses prevented, time from revoke to in force, share of answers on the ledger, gates never used. */
  getReports(query?: Query<"getReports">, options?: CallOptions): Promise<Reply<"getReports">>;
  /** The version of the service, and what it runs on. */
  getService(options?: CallOptions): Promise<Reply<"getService">>;
  /** Metrics of one process, in the text format of Prometheus. */
  getMetrics(options?: CallOptions): Promise<string>;
  /** Restores the seed memories and the default policy. Receipts and anchors stay. */
  resetDemo(options?: CallOptions): Promise<Reply<"resetDemo">>;
  /** The decision log, newest first. */
  listDecisions: Listing<Query<"listDecisions">, Reply<"listDecisions">, Reply<"listDecisions">["decisions"][number]>;
  /** Events as they happen. Goes on by itself when a connection breaks. After `reset`, load anew what you show. */
  listenToEvents(options?: FeedOptions): AsyncGenerator<FeedEvent, undefined>;
  /** The lines of an export as they come. The last one is the trailer. */
  exportRecords(query?: Query<"exportRecords">, options?: CallOptions): Promise<ReadableStream<Uint8Array> | null>;
  /** Sends an export, and gives the steps of its import. */
  importRecords(
    body: ReadableStream<Uint8Array> | Blob,
    query?: Query<"importRecords">,
    options?: CallOptions,
  ): AsyncGenerator<Reply<"importRecords">, undefined>;
  /** The keys of callers, newest first. Never the keys themselves. */
  listKeys: Listing<Query<"listKeys">, Reply<"listKeys">, Reply<"listKeys">["keys"][number]>;
  /** Makes a key. It is shown this once. */
  createKey(body: Body<"createKey">, options?: CallOptions): Promise<Reply<"createKey">>;
  /** Gives a key another secret. The old one ends at once, or after the grace period. */
  rotateKey(params: Params<"rotateKey">, body?: Body<"rotateKey">, options?: CallOptions): Promise<Reply<"rotateKey">>;
  /** Ends a key, its sessions and its streams. */
  revokeKey(params: Params<"revokeKey">, options?: CallOptions): Promise<Reply<"revokeKey">>;
  /** Who you are. */
  getSession(options?: CallOptions): Promise<Reply<"getSession">>;
  /** Opens a session of the app with a key, for a page of the service itself. */
  signIn(body: Body<"signIn">, options?: CallOptions): Promise<Reply<"signIn">>;
  /** Ends the session of the cookie. */
  signOut(options?: CallOptions): Promise<Reply<"signOut">>;
}
