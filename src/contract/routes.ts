// The API, one row a route. The server has a handler for each row, the client a function, openapi.json an operation.
import { z } from "zod";
import { MAX_RECALL_LIMIT } from "#core/gate/gate.ts";
import { type Place, paths, type RouteName } from "./paths.ts";
import { ANCHOR_BODY_BYTES, toAnchor, toAnchorOnChain } from "./schemas/anchoring.ts";
import { allBlocked, anchored, answerId, policyChange, receiptEntry, verified } from "./schemas/history.ts";
import { issuedKey, keyId, keyRecord, session, toCreateKey, toRotateKey, toSignIn } from "./schemas/identity.ts";
import { ledgerEntry, ledgerObject, ledgerTransaction, objectId, txDigest, verification } from "./schemas/ledger.ts";
import { decision, event, instant, outcome } from "./schemas/logs.ts";
import { ledger, overview, service } from "./schemas/overview.ts";
import { nextCursor, nextCursorOfSearch, page, pageBy } from "./schemas/paging.ts";
import {
  accessRule,
  agentId,
  anchoredOnChain,
  answered,
  blocked,
  fact,
  IMPORT_LINES,
  importResult,
  issuedReceipt,
  memory,
  query,
  recalledMemory,
  recorded,
  searched,
  versionedPolicy,
} from "./schemas/resources.ts";

export interface Route extends Place {
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body may be left out. */
  readonly bodyOptional?: true;
  /** How many bytes the body may have, in place of 64 KiB. */
  readonly bodyLimit?: number;
  readonly response: z.ZodType;
  /** Body and reply are NDJSON: `body` and `response` describe one line of them. */
  readonly ndjson?: { readonly maxLines: number };
  /**
   * Whether a call with this body must go through whatever the limits say. A row that has such calls is never refused
   * for overload, since its body is not read by then.
   */
  readonly isUrgent?: (body: unknown) => boolean;
  /**
   * The handler sends the reply itself. `answer`: behind the fence, as JSON or, with `Accept: text/event-stream`, as
   * events while it is made. `memories`: behind the fence, as JSON. `pieces`: one body in pieces, because it may be long.
   * `events`: server-sent events without an end, each with `id`, `event` and `data` as `response` says.
   * `reply`: JSON with headers of its own.
   */
  readonly streams?: "answer" | "memories" | "pieces" | "reply" | "events";
  /**
   * What it makes. A request with an Idempotency-Key makes it once. Every POST that makes something has this. An import
   * takes the header, and is idempotent by itself: a fact that is on record is not added again.
   */
  readonly idempotent?: "answer" | "memory" | "key" | "anchor" | "import";
}

const OWN_AGENT = "The agent that asks. An agent's own key may leave it out.";
const ofMemory = z.object({ memoryId: z.string().regex(/^[\w-]{1,64}$/, "is not the id of a memory") });

const isRevoke = (body: unknown): boolean => !(body as z.output<typeof accessRule>).allowed;

const rows = {
  chat: {
    summary: "Ask as an agent. The gate runs first; the answer comes with its receipt.",
    body: z.object({ agentId: agentId.optional().describe(OWN_AGENT), query }),
    response: answered,
    streams: "answer",
    idempotent: "answer",
  },
  companion: {
    summary: "Ask the health companion. Its answer says so when a namespace was closed to it.",
    body: z.object({ query }),
    response: answered,
    streams: "answer",
    idempotent: "answer",
  },
  recall: {
    summary: "The memories that an agent may use for a question, best first, for your own model. Always on record.",
    body: z.object({
      agentId: agentId.optional().describe(OWN_AGENT),
      query,
      limit: z.int().min(1).max(MAX_RECALL_LIMIT).optional().describe("At most, and by default, RECALL_LIMIT."),
      receipt: z
        .boolean()
        .optional()
        .describe("false: leave the receipt out of the reply. It is on record in any case. The default is true."),
    }),
    response: z.object({
      memories: z.array(recalledMemory),
      omittedCount: z
        .int()
        .exactOptional()
        .describe(
          "How many further memories were found and left out, because all together have at most 400,000 bytes as JSON. Only when there are any.",
        ),
      ...blocked,
      receipt: issuedReceipt.optional(),
    }),
    streams: "memories",
    idempotent: "answer",
  },
  capture: {
    summary: "Store a fact as a public blob and remember it.",
    body: fact,
    response: z.object({ memory }),
    idempotent: "memory",
  },
  listMemories: {
    summary: "All memories, newest first; a page of them with any parameter. One request looks at 20,000 at most.",
    query: page.extend({
      q: searched.optional(),
      namespace: recorded.namespace.optional(),
      sourceAgent: recorded.sourceAgent.optional(),
      viewAs: recorded.agentId.optional().describe("Only what this agent may use under the current policy."),
    }),
    response: z.object({ memories: z.array(memory), nextCursor: nextCursorOfSearch }),
    streams: "pieces",
  },
  importMemories: {
    summary: `Store up to ${IMPORT_LINES} facts, one a line, and stream a result line for each. Read while you write.`,
    body: fact,
    response: importResult,
    ndjson: { maxLines: IMPORT_LINES },
    streams: "pieces",
    idempotent: "import",
  },
  getMemory: { summary: "One memory.", params: ofMemory, response: z.object({ memory }), streams: "pieces" },
  updateMemory: {
    summary: "Pin or unpin a memory. Half of RECALL_LIMIT memories of a namespace can be pinned.",
    params: ofMemory,
    body: z.object({ pinned: z.boolean() }),
    response: z.object({ memory }),
  },
  getPolicy: { summary: "The policy and its version.", response: versionedPolicy, streams: "pieces" },
  setAccess: {
    summary: "Allow or revoke an agent's use of a namespace.",
    body: accessRule,
    response: versionedPolicy,
    streams: "pieces",
    isUrgent: isRevoke,
  },
  listPolicyChanges: {
    summary: "The changes of the policy, newest first.",
    query: pageBy(/^[1-9]\d{0,15}(?:\.\d{1,9})?$/),
    response: z.object({ changes: z.array(policyChange), nextCursor }),
  },
  listReceipts: {
    summary: "The receipts that were issued, newest first, with their anchors. One request looks at 20,000 at most.",
    query: pageBy(/^[\w-]{1,64}$/).extend({
      agentId: recorded.agentId.optional(),
      namespace: recorded.namespace.optional().describe("Used by the answer, or blocked."),
      anchored,
      verified,
    }),
    response: z.object({ receipts: z.array(receiptEntry), nextCursor: nextCursorOfSearch }),
    streams: "pieces",
  },
  getReceipt: {
    summary: "One receipt that was issued, with its anchors.",
    params: z.object({ answerId }),
    response: receiptEntry,
    streams: "pieces",
  },
  listBlocked: {
    summary: "All namespaces that were blocked for an answer. Its receipt lists the first 1,000.",
    params: z.object({ answerId }),
    response: allBlocked,
    streams: "pieces",
  },
  anchorReceipt: {
    summary: "Store a receipt as a blob and check that the blob resolves.",
    body: toAnchor,
    bodyLimit: ANCHOR_BODY_BYTES,
    response: z.object({ blobId: z.string(), verified: z.boolean() }),
    idempotent: "anchor",
  },
  anchorOnChain: {
    summary: "Store a receipt as a blob and record its digest on the ledger, with the namespaces that it claims.",
    body: toAnchorOnChain,
    bodyLimit: ANCHOR_BODY_BYTES,
    response: anchoredOnChain,
    idempotent: "anchor",
  },
  verify: {
    summary: "Verify an anchored receipt from the ledger's object and the raw bytes of the blobs.",
    params: z.object({ receiptId: objectId }),
    query: z.object({
      deep: z.enum(["0", "1"]).optional().describe("1: derive every blob id from its bytes. Takes seconds."),
    }),
    response: verification,
  },
  getLedger: { summary: "The ledger's network and package, for a verifier.", response: ledger },
  ledgerObject: {
    summary: "An object of the local ledger, decoded and as BCS.",
    params: z.object({ objectId }),
    response: ledgerObject,
  },
  ledgerTransaction: {
    summary: "A transaction of the local ledger, decoded and as BCS.",
    params: z.object({ digest: txDigest }),
    response: ledgerTransaction,
  },
  ledgerTransactions: {
    summary: "The local ledger's transactions, newest first.",
    query: page,
    response: z.object({ transactions: z.array(ledgerEntry), nextCursor }),
  },
  getOverview: { summary: "Counts of memories, answers and anchors.", response: overview },
  getService: { summary: "The version of this service, and what it runs on.", response: service },
  resetDemo: {
    summary: "Restore the seed memories and the default policy. Receipts and anchors stay.",
    body: z.object({}),
    bodyOptional: true,
    response: z.object({ ok: z.boolean() }),
  },
  listDecisions: {
    summary: "The decision log, newest first; with `Accept: application/x-ndjson` all of it, one decision a line.",
    query: pageBy(/^[\w-]{22}$/).extend({
      agentId: agentId.optional().describe("An agent reads its own decisions only."),
      outcome: outcome.optional(),
      from: instant.optional().describe("From this time on, `2026-01-02T03:04:05.678Z` for example."),
      to: instant.optional().describe("Before this time."),
    }),
    response: z.object({ decisions: z.array(decision), nextCursor: nextCursorOfSearch }),
    streams: "pieces",
  },
  listenToEvents: {
    summary: "What happens, as server-sent events. `Last-Event-ID` replays up to 24 hours.",
    response: event,
    streams: "events",
  },
  listKeys: {
    summary: "The keys of callers, newest first, revoked ones included. Never the keys themselves.",
    query: page,
    response: z.object({ keys: z.array(keyRecord), nextCursor }),
  },
  createKey: {
    summary: "Make a key. It is shown this once; only its hash is kept.",
    body: toCreateKey,
    response: issuedKey,
    idempotent: "key",
  },
  rotateKey: {
    summary: "Give a key another secret. The old one ends at once, or after the grace period.",
    params: z.object({ keyId }),
    body: toRotateKey,
    bodyOptional: true,
    response: issuedKey,
    idempotent: "key",
  },
  revokeKey: {
    summary: "End a key, its sessions and its streams, on every replica.",
    params: z.object({ keyId }),
    response: z.object({ record: keyRecord }),
  },
  getSession: { summary: "Who you are.", response: session, streams: "reply" },
  signIn: {
    summary: "Open a session of the app with a key. The cookie holds the session's id, and never the key.",
    body: toSignIn,
    response: session,
    streams: "reply",
  },
  signOut: { summary: "End the session of the cookie.", response: session, streams: "reply" },
} as const satisfies Readonly<Record<RouteName, Omit<Route, keyof Place>>>;

/** The rows with their paths. */
export const routes = Object.fromEntries(
  Object.entries(paths).map(([name, place]) => [name, { ...place, ...rows[name as RouteName] }]),
) as { readonly [N in RouteName]: (typeof paths)[N] & (typeof rows)[N] };

type Schema<R, K extends string> = R extends { readonly [key in K]: infer S extends z.ZodType } ? S : z.ZodUndefined;

export type Body<N extends RouteName> = z.output<Schema<(typeof rows)[N], "body">>;
export type Params<N extends RouteName> = z.output<Schema<(typeof rows)[N], "params">>;
export type Query<N extends RouteName> = z.output<Schema<(typeof rows)[N], "query">>;
export type Reply<N extends RouteName> = z.output<Schema<(typeof rows)[N], "response">>;
