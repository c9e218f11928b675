// One handler for each row of the table, or this file does not compile. Each calls a service and shapes its reply.
import type { RouteName } from "#contract/paths.ts";
import type { Body, Params, Query, Reply } from "#contract/routes.ts";
import type { Memory } from "#core/memory.ts";
import type { ChangePosition } from "#ports.ts";
import { anchor } from "#service/anchoring/anchor-as-blob.ts";
import { anchorOnChain } from "#service/anchoring/anchor-on-chain.ts";
import { readLedgerObject, readLedgerTransaction, recentTransactions } from "#service/anchoring/ledger-explorer.ts";
import type { Answered } from "#service/answers/answered.ts";
import type { Caller } from "#service/answers/caller.ts";
import { chat } from "#service/answers/chat.ts";
import { companion } from "#service/answers/companion.ts";
import type { Deps } from "#service/deps.ts";
import { capture } from "#service/memories/capture.ts";
import { allMemories, getMemory, listMemories } from "#service/memories/list-memories.ts";
import { aboutLedger, aboutService } from "#service/operations/about.ts";
import { overview } from "#service/operations/overview.ts";
import { reset } from "#service/operations/reset.ts";
import { getPolicy, policyChanges, setAccess } from "#service/policy/policy.ts";
import { getReceipt, listReceipts } from "#service/receipts/receipts.ts";
import { seenFrom } from "./pages/verify-page.ts";

interface Input<N extends RouteName> {
  readonly params: Params<N>;
  readonly query: Query<N>;
  readonly body: Body<N>;
  /** Where the caller sees us, `http://127.0.0.1:3000` for example. */
  readonly origin: () => string;
  /** Aborts when the caller goes away before the reply is complete. */
  readonly signal: () => AbortSignal;
  /** Has an answer made and gives it to the caller, whole or in pieces as they wish. */
  readonly answer: (run: (caller: Caller) => Promise<void>) => Promise<Answered | Pieces>;
}

type Wire<T> = T extends readonly (infer E)[]
  ? readonly Wire<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Wire<T[K]> }
    : T;

/** A reply in pieces. */
export class Pieces {
  readonly contentType: string;
  readonly texts: AsyncIterable<string>;

  constructor(contentType: string, texts: AsyncIterable<string>) {
    this.contentType = contentType;
    this.texts = texts;
  }
}

/** Answers with the row's reply, or with the pieces of its JSON. */
type Handler<N extends RouteName> = (deps: Deps, input: Input<N>) => Promise<Wire<Reply<N>> | Pieces>;

/** Callers are not told apart yet; the change log says which door a change came through. */
const BY = "api";
const DEFAULT_PAGE = 100;

export const handlers: { readonly [N in RouteName]: Handler<N> } = {
  chat: (deps, { body, answer }) => answer((caller) => chat(deps, body, caller)),
  companion: (deps, { body, answer }) => answer((caller) => companion(deps, body, caller)),
  capture: async (deps, { body }) => ({ memory: await capture(deps, body) }),

  async listMemories(deps, { query }) {
    if (Object.values(query).every((value) => value === undefined)) return inPieces(allMemories(deps));
    const { memories, next } = await listMemories(deps, { ...query, ...pageOf(query) });
    return { memories, ...nextCursor(next) };
  },
  getMemory: async (deps, { params }) => ({ memory: await getMemory(deps, params.memoryId) }),

  getPolicy: (deps) => getPolicy(deps),
  setAccess: (deps, { body }) => setAccess(deps, body, BY),

  async listPolicyChanges(deps, { query: { limit = DEFAULT_PAGE, cursor } }) {
    const from = cursor === undefined ? {} : { from: changePosition(cursor) };
    const { changes, next } = await policyChanges(deps, { limit, ...from });
    return { changes, ...nextCursor(next && `${next.version}.${next.leaves}`) };
  },

  async listReceipts(deps, { query: { limit = DEFAULT_PAGE, cursor, agentId, namespace, anchored, verified } }) {
    const filter = {
      ...(agentId !== undefined && { agentId }),
      ...(namespace !== undefined && { namespace }),
      ...(anchored !== undefined && { anchored: anchored === "yes" }),
      ...(verified !== undefined && { verified: verified === "yes" }),
    };
    const { receipts, next } = await listReceipts(deps, filter, { limit, before: cursor });
    return { receipts, ...nextCursor(next) };
  },
  getReceipt: (deps, { params }) => getReceipt(deps, params.answerId),

  anchorReceipt: (deps, { body }) => anchor(deps, body.receipt),

  async anchorOnChain(deps, { body, origin }) {
    const anchored = await anchorOnChain(deps, body);
    // The local ledger's explorer is a page of our own, known by its path.
    return { ...anchored, explorerUrl: new URL(anchored.explorerUrl, origin()).href };
  },

  async verify(deps, { params, query, origin, signal }) {
    const options = query.deep === "1" ? { deep: true, signal: signal() } : {};
    return seenFrom(origin(), await deps.verifier.verify(params.receiptId, options));
  },

  getLedger: (deps) => aboutLedger(deps),
  ledgerObject: (deps, { params }) => readLedgerObject(deps, params.objectId),
  ledgerTransaction: (deps, { params }) => readLedgerTransaction(deps, params.digest),

  async ledgerTransactions(deps, { query }) {
    const { transactions, next } = await recentTransactions(deps, pageOf(query));
    return { transactions, ...nextCursor(next) };
  },

  getOverview: (deps) => overview(deps),
  getService: async (deps) => aboutService(deps),

  async resetDemo(deps) {
    await reset(deps, BY);
    return { ok: true };
  },
};

function pageOf({ limit = DEFAULT_PAGE, cursor }: Query<"ledgerTransactions">): { limit: number; before?: number } {
  return cursor === undefined ? { limit } : { limit, before: Number(cursor) };
}

/** A version, and how many of its leaves were told. */
function changePosition(cursor: string): ChangePosition {
  const [version, leaves = 0] = cursor.split(".").map(Number);
  return { version: version ?? 0, leaves };
}

function nextCursor(next: number | string | undefined): { nextCursor?: string } {
  return next === undefined ? {} : { nextCursor: String(next) };
}

/** `{"memories":[…]}`, page by page. The first page is read at once: if that fails, the reply is a problem. */
async function inPieces(pages: AsyncGenerator<readonly Memory[]>): Promise<Pieces> {
  const first = await pages.next();
  return new Pieces("application/json", jsonOf(first.done === true ? [] : first.value, pages));
}

async function* jsonOf(first: readonly Memory[], rest: AsyncIterable<readonly Memory[]>): AsyncGenerator<string> {
  const json = (memories: readonly Memory[]) => memories.map((memory) => JSON.stringify(memory)).join(",");
  yield `{"memories":[${json(first)}`;
  for await (const memories of rest) if (memories.length > 0) yield `,${json(memories)}`;
  yield "]}";
}
