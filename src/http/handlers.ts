// One handler for each row of the route table, or this file does not compile. Each calls a service and shapes its reply.
import { absoluteUrl } from "#core/base-path.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { agentFor, forbidden, governedBy } from "#core/identity/permissions.ts";
import { COMPANION_AGENT, type Principal } from "#core/identity/principal.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import type { ChangePosition } from "#ports.ts";
import { anchor, anchorOnChain } from "#service/anchoring/anchor.ts";
import * as explorer from "#service/anchoring/ledger-explorer.ts";
import type { SizesOf } from "#service/answers/answered.ts";
import { chat } from "#service/answers/chat.ts";
import { companion } from "#service/answers/companion.ts";
import { recallMemories } from "#service/answers/recall-memories.ts";
import { learn } from "#service/conversations/learn.ts";
import { acceptProposal, declineProposal, listProposals } from "#service/conversations/proposals.ts";
import { aboutLedger, aboutService, overview, trustRoot } from "#service/operations/overview.ts";
import { resetByCaller } from "#service/operations/reset.ts";
import { listPolicyChanges, setAccess, setAccessBatch } from "#service/policy/policy.ts";
import { explain } from "#service/recall/explain.ts";
import { reports } from "#service/reports/reports.ts";
import type { Tenant } from "#service/tenant.ts";
import { sendPolicy } from "./answer/policy-stream.ts";
import { identityHandlers } from "./handlers/identity.ts";
import { memoryHandlers } from "./handlers/memories.ts";
import { receiptHandlers } from "./handlers/receipts.ts";
import { behindFence, DEFAULT_PAGE, nextCursor, paged, pageOf } from "./handlers/replies.ts";
import { tenantHandlers } from "./handlers/tenants.ts";
import { transfer } from "./handlers/transfer.ts";
import { logHandlers } from "./handlers/transparency-log.ts";
import { withExplorerUrl } from "./pages/verify-page.ts";
import type { Handlers, Input } from "./route-handler.ts";

export const handlers: Handlers = {
  async chat(tenant, { body, principal, call }, sink) {
    const agentId = agentFor(principal, body.agentId);
    sink.begin();
    return chat(tenant, { ...body, agentId, sizesOf: sizesFor(tenant, principal) }, sink, call);
  },
  async companion(tenant, { body, principal, call }, sink) {
    agentFor(principal, COMPANION_AGENT);
    sink.begin();
    return companion(tenant, { ...body, sizesOf: sizesFor(tenant, principal) }, sink, call);
  },
  recall: async (tenant, { body, principal, call }, caller) =>
    recallMemories(tenant, { ...body, agentId: agentFor(principal, body.agentId) }, caller, call),
  learn: async (tenant, { body, principal, call }, caller) =>
    learn(tenant, { ...body, agentId: agentFor(principal, body.agentId) }, caller, call),

  listProposals: behindFence<"listProposals">(async (tenant, { query, principal }) => {
    const { namespace, cursor: before, limit = DEFAULT_PAGE } = query;
    const { proposals, quoted, next } = await listProposals(tenant, principal, { namespace, before, limit });
    return { value: { proposals, ...nextCursor(next) }, quoted };
  }),
  acceptProposal: async (tenant, { params, body, call }) => ({
    memory: await acceptProposal(tenant, { ...body, ...params }, call),
  }),
  async declineProposal(tenant, { params: { proposalId }, call }) {
    await declineProposal(tenant, proposalId, call);
    return { proposalId };
  },

  ...memoryHandlers,

  explain: behindFence<"explain">((tenant, { body, call }) => explain(tenant, body, call)),
  getPolicy: async ({ policyMirror }, { principal }, exchange) =>
    sendPolicy(exchange, await policyMirror.current(), principal),
  setAccess: async (tenant, { body, principal, call }, exchange) =>
    sendPolicy(exchange, await setAccess(tenant, body, call), principal),
  setAccessBatch: async (tenant, { body, principal, call }, exchange) =>
    sendPolicy(exchange, await setAccessBatch(tenant, body, call), principal),

  async listPolicyChanges(tenant, { query: { limit = DEFAULT_PAGE, cursor, agentId, namespace }, principal }) {
    const page = { limit, from: cursor === undefined ? undefined : changePosition(cursor), agentId, namespace };
    const { changes, next } = await listPolicyChanges(tenant, principal, page);
    return { changes, ...nextCursor(next && `${next.version}.${next.rules}`) };
  },

  ...receiptHandlers,
  ...transfer,

  anchorReceipt: (tenant, { body, call }) => anchor(tenant, body, call),

  async anchorOnChain(tenant, { body, call, baseUrl }) {
    const anchored = await anchorOnChain(tenant, body, call);
    // The local ledger's explorer is a page of this service, and its URL has no origin.
    return { ...anchored, explorerUrl: absoluteUrl(baseUrl(), anchored.explorerUrl) };
  },

  findAnchors: (tenant, { params }) => explorer.findAnchors(tenant, params.id),

  verify: (tenant, input) => verified(tenant, input),
  verifyWithOpening: (tenant, { body, ...input }) => verified(tenant, input, canonicalJson(body.opening)),

  getLedger: (tenant) => aboutLedger(tenant),
  getTrustRoot: (tenant) => trustRoot(tenant),
  ledgerObject: (tenant, { params, principal }) => explorer.readLedgerObject(tenant, params.objectId, principal),
  ledgerTransaction: (tenant, { params, principal }) =>
    explorer.readLedgerTransaction(tenant, params.digest, principal),

  ledgerTransactions: async (tenant, { query }) =>
    paged(await explorer.explorerOf(tenant).recentTransactions(pageOf(query))),

  getOverview: (tenant) => overview(tenant),
  getReports: (tenant, { query, signal }) => reports(tenant, { ...query, signal: signal() }),
  getService: async (tenant) => aboutService(tenant),

  async getMetrics({ metrics, number }, _, { response }) {
    // They count what all tenants do.
    if (number !== DEFAULT_TENANT.number) throw forbidden("Metrics are for operators, and for the tenant default.");
    const { contentType, text } = await metrics.exposition();
    return response.send({ headers: { "content-type": contentType }, body: text });
  },

  async resetDemo(tenant, { call }) {
    await resetByCaller(tenant, call);
    return { ok: true };
  },

  ...identityHandlers,
  ...tenantHandlers,
  ...logHandlers,
};

async function verified(
  { verifier }: Pick<Tenant, "verifier">,
  { params, query, caller, baseUrl, signal }: Omit<Input<"verify">, "body">,
  opening?: string,
) {
  const depth = query.deep === "1" ? { deep: true, signal: signal() } : {};
  return withExplorerUrl(baseUrl(), await verifier.verify(params.receiptId, { caller, ...depth, opening }));
}

/** How many memories are in a closed namespace is nothing that an agent may know. */
function sizesFor({ index }: Pick<Tenant, "index">, principal: Principal): SizesOf | undefined {
  if (governedBy(principal) !== undefined) return undefined;
  return (namespaces) => namespaces.map((namespace) => ({ namespace, memories: index.count(namespace) }));
}

/** A version, and how many of its changes the pages so far have shown. */
function changePosition(cursor: string): ChangePosition {
  const [version, rules = 0] = cursor.split(".").map(Number);
  return { version: version ?? 0, rules };
}
