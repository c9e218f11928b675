// One handler for each row of the route table, or this file does not compile. Each calls a service and shapes its reply.
import type { Query } from "#contract/routes.ts";
import type { ChangePosition } from "#ports.ts";
import { anchor } from "#service/anchoring/anchor-as-blob.ts";
import { anchorOnChain } from "#service/anchoring/anchor-on-chain.ts";
import { readLedgerObject, readLedgerTransaction, recentTransactions } from "#service/anchoring/ledger-explorer.ts";
import { chat } from "#service/answers/chat.ts";
import { companion } from "#service/answers/companion.ts";
import { recall } from "#service/answers/recall.ts";
import { capture } from "#service/memories/capture.ts";
import { allMemories, getMemory, listMemories } from "#service/memories/list-memories.ts";
import { pinMemory } from "#service/memories/pin-memory.ts";
import { aboutLedger, aboutService } from "#service/operations/about.ts";
import { overview } from "#service/operations/overview.ts";
import { reset } from "#service/operations/reset.ts";
import { listPolicyChanges, setAccess } from "#service/policy/policy.ts";
import { blockedNamespaces } from "#service/receipts/blocked-namespaces.ts";
import { getReceipt, listReceipts } from "#service/receipts/receipts.ts";
import { sendImportResults, sendMemoryList } from "./answer/memory-streams.ts";
import { sendBlockedNamespaces } from "./answer/name-stream.ts";
import { sendPolicy } from "./answer/policy-stream.ts";
import { jsonReply } from "./answer/reply.ts";
import { withExplorerOrigin } from "./pages/verify-page.ts";
import type { Handlers, Value } from "./route-handler.ts";

const DEFAULT_PAGE = 100;

export const handlers: Handlers = {
  chat: (deps, { body }, caller) => chat(deps, body, caller),
  companion: (deps, { body }, caller) => companion(deps, body, caller),
  recall: (deps, { body }, caller) => recall(deps, body, caller),
  capture: async (deps, { body }) => ({ memory: await capture(deps, body) }),

  async listMemories(deps, { query, signal }, { response }) {
    const isUnfiltered = Object.values(query).every((value) => value === undefined);
    if (isUnfiltered) return sendMemoryList(response, allMemories(deps));
    const { memories, next } = await listMemories(deps, { ...query, ...pageOf(query) }, signal());
    const page: Value<"listMemories"> = { memories, ...nextCursor(next) };
    return response.send(jsonReply(page));
  },
  importMemories: (deps, { body }, exchange) => sendImportResults(deps, body, exchange),
  getMemory: async (deps, { params }) => ({ memory: await getMemory(deps, params.memoryId) }),

  updateMemory: async (deps, { params, body, principal }) => ({
    memory: await pinMemory(deps, { ...params, ...body }, principal.name),
  }),

  getPolicy: async ({ gatekeeper }, _, { response }) => sendPolicy(response, await gatekeeper.policy()),
  setAccess: async (deps, { body, principal }, { response }) =>
    sendPolicy(response, await setAccess(deps, body, principal.name)),

  async listPolicyChanges(deps, { query: { limit = DEFAULT_PAGE, cursor } }) {
    const from = cursor === undefined ? {} : { from: changePosition(cursor) };
    const { changes, next } = await listPolicyChanges(deps, { limit, ...from });
    return { changes, ...nextCursor(next && `${next.version}.${next.leaves}`) };
  },

  async listReceipts(deps, { query, signal }) {
    const { limit = DEFAULT_PAGE, cursor, agentId, namespace, anchored, verified } = query;
    const filter = {
      ...(agentId !== undefined && { agentId }),
      ...(namespace !== undefined && { namespace }),
      ...(anchored !== undefined && { anchored: anchored === "yes" }),
      ...(verified !== undefined && { verified: verified === "yes" }),
    };
    const { receipts, next } = await listReceipts(deps, filter, { limit, before: cursor, signal: signal() });
    return { receipts, ...nextCursor(next) };
  },
  getReceipt: (deps, { params }) => getReceipt(deps, params.answerId),
  listBlocked: async (deps, { params }, { response }) =>
    sendBlockedNamespaces(response, await blockedNamespaces(deps, params.answerId)),

  anchorReceipt: (deps, { body }) => anchor(deps, body),

  async anchorOnChain(deps, { body, origin }) {
    const anchored = await anchorOnChain(deps, body);
    // The local ledger's explorer is a page of this service, and its URL has no origin.
    return { ...anchored, explorerUrl: new URL(anchored.explorerUrl, origin()).href };
  },

  async verify(deps, { params, query, origin, signal }) {
    const options = query.deep === "1" ? { deep: true, signal: signal() } : {};
    return withExplorerOrigin(origin(), await deps.verifier.verify(params.receiptId, options));
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

  async resetDemo(deps, { principal }) {
    await reset(deps, principal.name);
    return { ok: true };
  },
};

function pageOf({ limit = DEFAULT_PAGE, cursor }: Query<"ledgerTransactions">): { limit: number; before?: number } {
  return cursor === undefined ? { limit } : { limit, before: Number(cursor) };
}

/** A version, and how many of its changes the pages so far have shown. */
function changePosition(cursor: string): ChangePosition {
  const [version, leaves = 0] = cursor.split(".").map(Number);
  return { version: version ?? 0, leaves };
}

function nextCursor(next: number | string | undefined): { nextCursor?: string } {
  return next === undefined ? {} : { nextCursor: String(next) };
}
