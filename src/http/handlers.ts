// One handler for each row of the route table, or this file does not compile. Each calls a service and shapes its reply.
import { agentFor, governedBy } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import { COMPANION_AGENT } from "#core/prompt/persona.ts";
import type { ChangePosition } from "#ports.ts";
import { anchor } from "#service/anchoring/anchor-as-blob.ts";
import { anchorOnChain } from "#service/anchoring/anchor-on-chain.ts";
import { findAnchors } from "#service/anchoring/find-anchors.ts";
import { readLedgerObject, readLedgerTransaction, recentTransactions } from "#service/anchoring/ledger-explorer.ts";
import { chat } from "#service/answers/chat.ts";
import { companion } from "#service/answers/companion.ts";
import type { SizesOf } from "#service/answers/gate-report.ts";
import { recall } from "#service/answers/recall.ts";
import type { Deps } from "#service/deps.ts";
import { aboutLedger, aboutService, operatorsWord } from "#service/operations/about.ts";
import { overview } from "#service/operations/overview.ts";
import { resetByCaller } from "#service/operations/reset.ts";
import { listPolicyChanges, setAccess } from "#service/policy/policy.ts";
import { reports } from "#service/reports/reports.ts";
import { sendImportResults } from "./answer/memory-streams.ts";
import { sendPolicy } from "./answer/policy-stream.ts";
import { absoluteUrl } from "./edge/base-path.ts";
import { identityHandlers } from "./handlers/identity.ts";
import { logs } from "./handlers/logs.ts";
import { memoryLife } from "./handlers/memory-life.ts";
import { memoryReading } from "./handlers/memory-reading.ts";
import { DEFAULT_PAGE, nextCursor, pageOf } from "./handlers/paging.ts";
import { receiptReading } from "./handlers/receipt-reading.ts";
import { transfer } from "./handlers/transfer.ts";
import { withExplorerUrl } from "./pages/verify-page.ts";
import type { Handlers } from "./route-handler.ts";

export const handlers: Handlers = {
  async chat(deps, { body, principal }, sink) {
    const agentId = agentFor(principal, body.agentId);
    sink.begin();
    return chat(deps, { ...body, agentId, sizesOf: sizesFor(deps, principal) }, sink);
  },
  async companion(deps, { body, principal }, sink) {
    agentFor(principal, COMPANION_AGENT);
    sink.begin();
    return companion(deps, { ...body, sizesOf: sizesFor(deps, principal) }, sink);
  },
  recall: async (deps, { body, principal }, caller) =>
    recall(deps, { ...body, agentId: agentFor(principal, body.agentId) }, caller),

  ...memoryLife,
  ...memoryReading,
  importMemories: (deps, { body, principal }, exchange) =>
    sendImportResults(deps, { lines: body, principal }, exchange),

  getPolicy: async ({ gatekeeper }, { principal }, { response }) =>
    sendPolicy(response, await gatekeeper.policy(), principal),
  setAccess: async (deps, { body, principal }, { response }) =>
    sendPolicy(response, await setAccess(deps, body, principal), principal),

  async listPolicyChanges(deps, { query: { limit = DEFAULT_PAGE, cursor, agentId, namespace }, principal }) {
    const from = cursor === undefined ? {} : { from: changePosition(cursor) };
    const filter = { ...(agentId !== undefined && { agentId }), ...(namespace !== undefined && { namespace }) };
    const { changes, next } = await listPolicyChanges(deps, principal, { limit, ...from, ...filter });
    return { changes, ...nextCursor(next && `${next.version}.${next.leaves}`) };
  },

  ...receiptReading,
  ...logs,
  ...transfer,

  anchorReceipt: (deps, { body, principal }) => anchor(deps, body, principal),

  async anchorOnChain(deps, { body, principal, baseUrl }) {
    const anchored = await anchorOnChain(deps, body, principal);
    // The local ledger's explorer is a page of this service, and its URL has no origin.
    return { ...anchored, explorerUrl: absoluteUrl(baseUrl(), anchored.explorerUrl) };
  },

  findAnchors: (deps, { params }) => findAnchors(deps, params.id),

  async verify(deps, { params, query, baseUrl, signal }) {
    const options = query.deep === "1" ? { deep: true, signal: signal() } : {};
    return withExplorerUrl(baseUrl(), await deps.verifier.verify(params.receiptId, options));
  },

  getLedger: (deps) => aboutLedger(deps),
  getOperatorsWord: (deps) => operatorsWord(deps),
  ledgerObject: (deps, { params, principal }) => readLedgerObject(deps, params.objectId, principal),
  ledgerTransaction: (deps, { params, principal }) => readLedgerTransaction(deps, params.digest, principal),

  async ledgerTransactions(deps, { query }) {
    const { transactions, next } = await recentTransactions(deps, pageOf(query));
    return { transactions, ...nextCursor(next) };
  },

  getOverview: (deps) => overview(deps),
  getReports: (deps, { query, signal }) => reports(deps, { ...query, signal: signal() }),
  getService: async (deps) => aboutService(deps),

  async getMetrics({ metrics }, _, { response }) {
    const { contentType, text } = await metrics.exposition();
    return response.send({ headers: { "content-type": contentType }, body: text });
  },

  async resetDemo(deps, { principal }) {
    await resetByCaller(deps, principal.name);
    return { ok: true };
  },

  ...identityHandlers,
};

/** How many memories are in a closed namespace is nothing that an agent may know. */
function sizesFor({ gatekeeper }: Pick<Deps, "gatekeeper">, principal: Principal): SizesOf | undefined {
  if (governedBy(principal) !== undefined) return undefined;
  return (namespaces) => namespaces.map((namespace) => ({ namespace, memories: gatekeeper.memoriesIn(namespace) }));
}

/** A version, and how many of its changes the pages so far have shown. */
function changePosition(cursor: string): ChangePosition {
  const [version, leaves = 0] = cursor.split(".").map(Number);
  return { version: version ?? 0, leaves };
}
