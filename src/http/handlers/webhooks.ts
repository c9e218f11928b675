import type { Handlers } from "#http/route-handler.ts";
import type { Webhook } from "#ports.ts";
import { afterRecording } from "#service/decisions/decision-log.ts";
import { createWebhook, listWebhooks, requireWebhook } from "#service/events/webhooks.ts";
import { nextCursor, pageOf } from "./replies.ts";

type WebhookHandlers = Pick<Handlers, "listWebhooks" | "createWebhook" | "removeWebhook" | "listDeliveries">;

export const webhookHandlers: WebhookHandlers = {
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

const shown = ({ position: _, owner, kinds, ...webhook }: Webhook) => ({
  ...webhook,
  kinds: [...kinds],
  createdBy: owner.name,
});
