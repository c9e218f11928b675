// Receipts, decisions, events and webhooks. An agent reads its own receipts, an auditor all of them without the text of memories.
import { NDJSON_TYPE } from "#contract/media-types.ts";
import type { Query } from "#contract/routes.ts";
import type { logRows } from "#contract/rows/logs.ts";
import { agentFor } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import { jsonReply } from "#http/answer/reply.ts";
import { sendPieces } from "#http/answer/response-writer.ts";
import { sendEventFeed } from "#http/answer/send-answer.ts";
import { wants } from "#http/request/read-input.ts";
import type { Handlers, Value } from "#http/route-handler.ts";
import type { Webhook } from "#ports.ts";
import { afterRecording } from "#service/decisions/decision-log.ts";
import { allDecisions, type DecisionEntry, listDecisions } from "#service/decisions/list-decisions.ts";
import { deliverEvents } from "#service/events/deliver-events.ts";
import { createWebhook, listWebhooks, requireWebhook } from "#service/events/webhooks.ts";
import * as service from "#service/receipts/receipts.ts";
import type { Tenant } from "#service/tenant.ts";
import { behindFence, DEFAULT_PAGE, jsonList, nextCursor, pageOf } from "./replies.ts";

type ReceiptRoute = "listReceipts" | "getReceipt" | "listBlocked" | keyof typeof logRows;

export const receiptHandlers: Pick<Handlers, ReceiptRoute> = {
  listReceipts: behindFence<"listReceipts">(async (tenant, { query, principal, signal }) => {
    const page = { limit: query.limit ?? DEFAULT_PAGE, before: query.cursor, signal: signal() };
    const { receipts, next } = await service.listReceipts(tenant, filterFor(principal, query), page);
    const views = viewAll(tenant, principal, receipts);
    return { value: { receipts: views, ...nextCursor(next) }, quoted: views.flatMap(service.quotedMemories) };
  }),
  getReceipt: behindFence<"getReceipt">(async (tenant, { params, principal }) => {
    const entry = await service.withStoredUntil(tenant, await service.getReceipt(tenant, params.answerId, principal));
    const [view] = viewAll(tenant, principal, [entry]);
    const value = await service.withNames(tenant.ledger, view as service.ReceiptView);
    return { value, quoted: service.quotedMemories(value) };
  }),
  async listBlocked(tenant, { params, principal }, { response }) {
    const { count, digest, pages } = await service.blockedNamespaces(tenant, params.answerId, principal);
    const opening = `{"blockedCount":${count},"blockedDigest":${JSON.stringify(digest)},"blockedNamespaces":[`;
    return sendPieces(response, "application/json", jsonList(opening, pages));
  },

  async listDecisions(tenant, { query: { limit = DEFAULT_PAGE, cursor, ...wanted }, call }, exchange) {
    const { request, response } = exchange;
    if (wants(request, NDJSON_TYPE))
      return sendPieces(response, NDJSON_TYPE, linesOf(allDecisions(tenant, call, { ...wanted, cursor })));
    const { decisions, next } = await listDecisions(tenant, call, { ...wanted, limit, cursor });
    const page: Value<"listDecisions"> = { decisions, ...nextCursor(next) };
    return response.send(jsonReply(page));
  },
  listenToEvents: (tenant, { principal }, exchange) =>
    sendEventFeed(exchange, (sink, lastEventId) => deliverEvents(tenant, principal, lastEventId, sink)),

  listWebhooks: async (tenant, { principal }) => ({ webhooks: (await listWebhooks(tenant, principal)).map(shown) }),
  async createWebhook(tenant, { body, principal, call }) {
    const { webhook, secret } = await afterRecording(tenant, call, createWebhook(tenant, body, principal));
    return { webhook: shown(webhook), secret };
  },
  async removeWebhook(tenant, { params: { webhookId }, principal, call }) {
    await requireWebhook(tenant, principal, webhookId);
    await afterRecording(tenant, call, tenant.records.webhooks.remove(webhookId));
    return { webhookId };
  },
  async listDeliveries(tenant, { params: { webhookId }, query, principal }) {
    await requireWebhook(tenant, principal, webhookId);
    const { deliveries, next } = await tenant.records.webhooks.deliveries(webhookId, pageOf(query));
    return { deliveries: [...deliveries], ...nextCursor(next) };
  },
};

/** For an agent the fence has just read the policy, and checks each namespace again if it changes. */
function viewAll(tenant: Pick<Tenant, "policyMirror">, principal: Principal, entries: readonly service.ReceiptEntry[]) {
  const policy = principal.role === "agent" ? tenant.policyMirror.lastOf(principal.agentId) : NO_POLICY;
  return entries.map((entry) => service.viewReceipt(entry, principal, policy));
}

const NO_POLICY = Object.freeze(Object.create(null));

function filterFor(principal: Principal, query: Query<"listReceipts">): service.ReceiptQuery {
  const { limit: _, cursor: __, answerIds, anchored, verified, ...rest } = query;
  const agentId = principal.role === "agent" ? agentFor(principal, query.agentId) : query.agentId;
  const named = { agentId, answerIds: answerIds?.split(",") };
  return { ...rest, ...named, anchored: anchored && anchored === "yes", verified: verified && verified === "yes" };
}

async function* linesOf(pages: AsyncIterable<readonly DecisionEntry[]>): AsyncGenerator<string> {
  for await (const decisions of pages) {
    if (decisions.length > 0) yield decisions.map((decision) => `${JSON.stringify(decision)}\n`).join("");
  }
}

const shown = ({ position: _, owner, kinds, ...webhook }: Webhook) => ({
  ...webhook,
  kinds: [...kinds],
  createdBy: owner.name,
});
