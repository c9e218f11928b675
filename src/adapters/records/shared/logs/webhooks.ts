// Webhooks, and the log of their deliveries. Whoever takes those that are due has them for a while, on every replica.
import { cutPage, reader } from "#adapters/records/shared/rows.ts";
import { type Database, UNLIMITED } from "#adapters/records/shared/sql/database.ts";
import type { Webhook, WebhookDelivery, WebhookRecords } from "#ports.ts";

const DELIVERIES_KEPT = 200;

const COLUMNS = `webhook_id AS "webhookId", url, kinds, owner, created_at AS "createdAt", position, failures,
  next_at AS "nextAt", ended_at AS "endedAt"`;
const ADD = `
  INSERT INTO webhooks (tenant, webhook_id, url, kinds, owner, created_at, position, failures, next_at, deliveries)
  SELECT $tenant, $1, $2, $3, $4, $5, $6, 0, $5, 0 WHERE (SELECT count(*) FROM webhooks WHERE tenant = $tenant) < $7
  RETURNING webhook_id`;
const LIST = `SELECT ${COLUMNS} FROM webhooks WHERE tenant = $tenant ORDER BY created_at DESC, webhook_id`;
const REMOVE = "DELETE FROM webhooks WHERE tenant = $tenant AND webhook_id = $1 RETURNING webhook_id";
/** An event of the tenant is newer than what was sent. */
export const HAS_EVENTS = `
  EXISTS (SELECT 1 FROM events WHERE events.tenant = webhooks.tenant AND events.sequence > webhooks.position)`;
const TAKE = `
  UPDATE webhooks SET next_at = $2 WHERE tenant = $tenant AND ended_at IS NULL AND next_at <= $1 AND ${HAS_EVENTS}
  RETURNING ${COLUMNS}`;
const PROGRESS = `
  UPDATE webhooks SET position = $2, failures = $3, next_at = $4 WHERE tenant = $tenant AND webhook_id = $1`;
const COUNT = `
  UPDATE webhooks SET deliveries = deliveries + 1 WHERE tenant = $tenant AND webhook_id = $1`;
const DELIVERED = `
  INSERT INTO webhook_deliveries (tenant, webhook_id, number, message_id, kind, at, attempt, status, error)
  SELECT tenant, webhook_id, deliveries, $2, $3, $4, CAST($5 AS bigint), CAST($6 AS bigint), $7 FROM webhooks
  WHERE tenant = $tenant AND webhook_id = $1`;
const TRIM = `
  DELETE FROM webhook_deliveries WHERE tenant = $tenant AND webhook_id = $1 AND number <= (
    SELECT max(number) FROM webhook_deliveries WHERE tenant = $tenant AND webhook_id = $1) - ${DELIVERIES_KEPT}`;
const END = "UPDATE webhooks SET ended_at = $2 WHERE tenant = $tenant AND webhook_id = $1";
const DELIVERIES = `
  SELECT number, message_id AS "messageId", kind, at, attempt, status, error FROM webhook_deliveries
  WHERE tenant = $tenant AND webhook_id = $1 AND number < $2 ORDER BY number DESC LIMIT $3`;

const toWebhook = reader<Webhook>({ json: ["kinds", "owner"] });
const toDelivery = reader<WebhookDelivery>({});

export function webhookRecords({ rows, change, write, reserve }: Database): WebhookRecords {
  return {
    async add({ webhookId, url, kinds, owner, createdAt, position }, most) {
      const values = [webhookId, url, JSON.stringify(kinds), JSON.stringify(owner), createdAt, position, most];
      return (await change({ text: ADD, values })).length > 0;
    },
    list: async () => (await rows<object>({ text: LIST, values: [] })).map(toWebhook),
    remove: async (webhookId) => (await reserve.change({ text: REMOVE, values: [webhookId] })).length > 0,
    take: async (now, until) => (await change<object>({ text: TAKE, values: [now, until] })).map(toWebhook),
    progress({ webhookId, position, failures, nextAt }, delivery) {
      const moved = { text: PROGRESS, values: [webhookId, position, failures, nextAt] };
      if (delivery === undefined) return write(moved);
      const { messageId, kind, at, attempt, status = null, error = null } = delivery;
      return write(
        moved,
        { text: COUNT, values: [webhookId] },
        { text: DELIVERED, values: [webhookId, messageId, kind, at, attempt, status, error] },
        { text: TRIM, values: [webhookId] },
      );
    },
    end: (webhookId, at) => write({ text: END, values: [webhookId, at] }),
    async deliveries(webhookId, { before = UNLIMITED, limit }) {
      const found = await rows<WebhookDelivery>({ text: DELIVERIES, values: [webhookId, before, limit + 1] });
      const { page, more } = cutPage(found, limit, ({ number }) => number);
      return { deliveries: page.map(toDelivery), ...more };
    },
  };
}
