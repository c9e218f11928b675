// The API, one row a route. The server has a handler for each row, the client a function, openapi.json an operation.
import { z } from "zod";
import { ledgerEntry, ledgerObject, ledgerTransaction, objectId, txDigest, verification } from "./ledger-schemas.ts";
import {
  agentId,
  anchoredOnChain,
  answered,
  fact,
  foreignReceipt,
  memory,
  namespace,
  query,
  versionedPolicy,
} from "./schemas.ts";

export interface Route {
  readonly method: "GET" | "POST";
  /** `{name}` stands for a parameter. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body may be left out. */
  readonly bodyOptional?: true;
  readonly response: z.ZodType;
  /** With `Accept: text/event-stream` the answer comes as events: `token` for each piece, then one `answer`. */
  readonly streams?: true;
}

const LONGEST_PAGE = 1_000;

/** Query parameters come as text. `0x10`, `1e2` and `""` are numbers to JavaScript and mistakes to people. */
const wholeNumber = (text: unknown): unknown => (typeof text === "string" && /^\d+$/.test(text) ? Number(text) : text);

const page = z.object({
  limit: z
    .preprocess(wholeNumber, z.int().min(1).max(LONGEST_PAGE))
    .optional()
    .meta({ description: "How many a page has." }),
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,15}$/, "is not a cursor that this service gave")
    .optional()
    .meta({ description: "`nextCursor` of the page before." }),
});
const nextCursor = z.string().optional().meta({ description: "Absent on the last page." });

export const routes = {
  chat: {
    method: "POST",
    path: "/api/chat",
    summary: "Ask as an agent. The gate runs first; the answer comes with its receipt.",
    body: z.object({ agentId, query }),
    response: answered,
    streams: true,
  },
  companion: {
    method: "POST",
    path: "/api/companion",
    summary: "Ask the health companion. It says so when a namespace was closed to it.",
    body: z.object({ query }),
    response: answered,
    streams: true,
  },
  capture: {
    method: "POST",
    path: "/api/memories",
    summary: "Store a fact as a public blob and remember it.",
    body: fact,
    response: z.object({ memory }),
  },
  listMemories: {
    method: "GET",
    path: "/api/memories",
    summary: "All memories, newest first; a page of them with `limit`.",
    query: page,
    response: z.object({ memories: z.array(memory), nextCursor }),
  },
  getPolicy: {
    method: "GET",
    path: "/api/policy",
    summary: "The policy and its version.",
    response: versionedPolicy,
  },
  setAccess: {
    method: "POST",
    path: "/api/policy",
    summary: "Allow or revoke an agent's use of a namespace.",
    body: z.object({ agentId, namespace, allowed: z.boolean() }),
    response: versionedPolicy,
  },
  anchorReceipt: {
    method: "POST",
    path: "/api/anchor",
    summary: "Store a receipt as a blob and look whether it resolves.",
    body: z.object({ receipt: foreignReceipt }),
    response: z.object({ blobId: z.string(), verified: z.boolean() }),
  },
  anchorOnChain: {
    method: "POST",
    path: "/api/anchor-chain",
    summary: "Store a receipt as a blob and record its digest on the ledger, with the namespaces that it claims.",
    body: z.object({ receipt: foreignReceipt, claimNamespaces: z.array(namespace).max(1_000).optional() }),
    response: anchoredOnChain,
  },
  verify: {
    method: "GET",
    path: "/api/verify/{receiptId}",
    summary: "Check an anchored receipt, from the ledger's object and the raw bytes of the blobs.",
    params: z.object({ receiptId: objectId }),
    query: z.object({
      deep: z
        .enum(["0", "1"])
        .optional()
        .meta({ description: "1: derive every blob id from its bytes. Takes seconds." }),
    }),
    response: verification,
  },
  ledgerObject: {
    method: "GET",
    path: "/api/ledger/objects/{objectId}",
    summary: "An object of the local ledger, decoded and as BCS.",
    params: z.object({ objectId }),
    response: ledgerObject,
  },
  ledgerTransaction: {
    method: "GET",
    path: "/api/ledger/transactions/{digest}",
    summary: "A transaction of the local ledger, decoded and as BCS.",
    params: z.object({ digest: txDigest }),
    response: ledgerTransaction,
  },
  ledgerTransactions: {
    method: "GET",
    path: "/api/ledger/transactions",
    summary: "The local ledger's transactions, newest first.",
    query: page,
    response: z.object({ transactions: z.array(ledgerEntry), nextCursor }),
  },
  resetDemo: {
    method: "POST",
    path: "/api/reset",
    summary: "Restore the seed memories and the default policy. Receipts and anchors stay.",
    body: z.object({}),
    bodyOptional: true,
    response: z.object({ ok: z.boolean() }),
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;

type Schema<R, K extends string> = R extends { readonly [key in K]: infer S extends z.ZodType } ? S : z.ZodUndefined;

export type Body<N extends RouteName> = z.output<Schema<(typeof routes)[N], "body">>;
export type Params<N extends RouteName> = z.output<Schema<(typeof routes)[N], "params">>;
export type Query<N extends RouteName> = z.output<Schema<(typeof routes)[N], "query">>;
export type Reply<N extends RouteName> = z.output<Schema<(typeof routes)[N], "response">>;
