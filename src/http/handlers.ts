// One handler for each row of the table, or this file does not compile. Each calls a service and shapes its reply.
import type { Body, Params, Query, Reply, RouteName } from "../contract/routes.ts";
import type { Memory } from "../core/memory.ts";
import type { CompleteOptions } from "../ports.ts";
import { getPolicy, setAccess } from "../service/access.ts";
import { anchor } from "../service/anchor.ts";
import { anchorOnChain } from "../service/anchor-chain.ts";
import { readLedgerObject, readLedgerTransaction, recentTransactions } from "../service/book.ts";
import { capture } from "../service/capture.ts";
import { chat } from "../service/chat.ts";
import { companion } from "../service/companion.ts";
import type { Deps } from "../service/deps.ts";
import { allMemories, listMemories } from "../service/memories.ts";
import { reset } from "../service/reset.ts";
import { verify } from "../service/verify.ts";
import { seenFrom } from "./verify-page.ts";

interface Input<N extends RouteName> {
  readonly params: Params<N>;
  readonly query: Query<N>;
  readonly body: Body<N>;
  /** Where the caller sees us, `http://127.0.0.1:3000` for example. */
  readonly origin: () => string;
  /** Aborts when the caller goes away before the reply is complete. */
  readonly signal: () => AbortSignal;
  /** Present when the caller wants the answer in pieces. */
  readonly onText?: (piece: string) => void;
}

type Wire<T> = T extends readonly (infer E)[]
  ? readonly Wire<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Wire<T[K]> }
    : T;

/** The JSON of a reply, in pieces. */
export class JsonPieces {
  readonly pieces: AsyncIterable<string>;

  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces;
  }
}

/** Answers with the row's reply, or with the pieces of its JSON. */
type Handler<N extends RouteName> = (deps: Deps, input: Input<N>) => Promise<Wire<Reply<N>> | JsonPieces>;

/** Callers are not told apart yet; the change log says which door a change came through. */
const BY = "api";
const DEFAULT_PAGE = 100;

export const handlers: { readonly [N in RouteName]: Handler<N> } = {
  chat: (deps, input) => chat(deps, input.body, completion(input)),
  companion: (deps, input) => companion(deps, input.body, completion(input)),
  capture: async (deps, { body }) => ({ memory: await capture(deps, body) }),

  async listMemories(deps, { query }) {
    if (query.limit === undefined && query.cursor === undefined) return inPieces(allMemories(deps));
    const { memories, next } = await listMemories(deps, pageOf(query));
    return { memories, ...nextCursor(next) };
  },

  getPolicy: (deps) => getPolicy(deps),
  setAccess: (deps, { body }) => setAccess(deps, body, BY),
  anchorReceipt: (deps, { body }) => anchor(deps, body.receipt),

  async anchorOnChain(deps, { body, origin }) {
    const anchored = await anchorOnChain(deps, body);
    // The local ledger's explorer is a page of our own, known by its path.
    return { ...anchored, explorerUrl: new URL(anchored.explorerUrl, origin()).href };
  },

  async verify(deps, { params, query, origin, signal }) {
    const options = query.deep === "1" ? { deep: true, signal: signal() } : {};
    return seenFrom(origin(), await verify(deps, params.receiptId, options));
  },
  ledgerObject: (deps, { params }) => readLedgerObject(deps, params.objectId),
  ledgerTransaction: (deps, { params }) => readLedgerTransaction(deps, params.digest),

  async ledgerTransactions(deps, { query }) {
    const { transactions, next } = await recentTransactions(deps, pageOf(query));
    return { transactions, ...nextCursor(next) };
  },

  async resetDemo(deps) {
    await reset(deps, BY);
    return { ok: true };
  },
};

function completion({ signal, onText }: Input<"chat" | "companion">): CompleteOptions {
  return onText === undefined ? { signal: signal() } : { signal: signal(), onText };
}

function pageOf({ limit = DEFAULT_PAGE, cursor }: Query<"listMemories">): { limit: number; before?: number } {
  return cursor === undefined ? { limit } : { limit, before: Number(cursor) };
}

function nextCursor(next: number | undefined): { nextCursor?: string } {
  return next === undefined ? {} : { nextCursor: String(next) };
}

/** `{"memories":[…]}`, page by page. The first page is read at once: if that fails, the reply is a problem. */
async function inPieces(pages: AsyncGenerator<readonly Memory[]>): Promise<JsonPieces> {
  const first = await pages.next();
  return new JsonPieces(jsonOf(first.done === true ? [] : first.value, pages));
}

async function* jsonOf(first: readonly Memory[], rest: AsyncIterable<readonly Memory[]>): AsyncGenerator<string> {
  const json = (memories: readonly Memory[]) => memories.map((memory) => JSON.stringify(memory)).join(",");
  yield `{"memories":[${json(first)}`;
  for await (const memories of rest) if (memories.length > 0) yield `,${json(memories)}`;
  yield "]}";
}
