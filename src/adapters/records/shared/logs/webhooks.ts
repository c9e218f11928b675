// Webhooks, and the log of their deliveries. Whoever takes those that are due has them for a while, on every replica.
import { pageOf, reader } from "#adapters/records/shared/rows.ts";
import { columns, type Database, reading, statement, UNLIMITED } from "#adapters/records/shared/sql.ts";
import type { Webhook, WebhookDelivery, WebhookRecords } from "#ports.ts";

const DELIVERIES_KEPT = 200;

const toWebhook = reader<Webhook>({ json: ["kinds", "owner"] });
const COLUMNS = columns("webhookId url kinds owner createdAt position failures nextAt endedAt");
const ADD = statement`
  INSERT INTO webhooks (tenant, webhook_id, url, kinds, owner, created_at, position, failures, next_at, deliveries)
  SELECT $tenant, $1, $2, $3, $4, $5, $6, 0, $5, 0 WHERE (SELECT count(*) FROM webhooks WHERE tenant = $tenant) < $7
  RETURNING webhook_id`;
const LIST = reading(toWebhook)`
  SELECT ${COLUMNS} FROM webhooks WHERE tenant = $tenant ORDER BY created_at DESC, webhook_id`;
const REMOVE = statement`DELETE FROM webhooks WHERE tenant = $tenant AND webhook_id = $1 RETURNING webhook_id`;
/** An event of the tenant is newer than what was sent. */
export const HAS_EVENTS = `
  EXISTS (SELECT 1 FROM events WHERE events.tenant = webhooks.tenant AND events.sequence > webhooks.position)`;
const TAKE = reading(toWebhook)`
  UPDATE webhooks SET next_at = $2 WHERE tenant = $tenant AND ended_at IS NULL AND next_at <= $1 AND ${HAS_EVENTS}
  RETURNING ${COLUMNS}`;
const PROGRESS = statement`
  UPDATE webhooks SET position = $2, failures = $3, next_at = $4 WHERE tenant = $tenant AND webhook_id = $1`;
const COUNT = statement`UPDATE webhooks SET deliveries = deliveries + 1 WHERE tenant = $tenant AND webhook_id = $1`;
const DELIVERED = statement`
  INSERT INTO webhook_deliveries (tenant, webhook_id, number, message_id, kind, at, attempt, status, error)
  SELECT tenant, webhook_id, deliveries, $2, $3, $4, CAST($5 AS bigint), CAST($6 AS bigint), $7 FROM webhooks
  WHERE tenant = $tenant AND webhook_id = $1`;
const TRIM = statement`
  DELETE FROM webhook_deliveries WHERE tenant = $tenant AND webhook_id = $1 AND number <= (
    SELECT max(number) FROM webhook_deliveries WHERE tenant = $tenant AND webhook_id = $1) - ${DELIVERIES_KEPT}`;
const END = statement`UPDATE webhooks SET ended_at = $2 WHERE tenant = $tenant AND webhook_id = $1`;
const DELIVERIES = reading(reader<WebhookDelivery>({}))`
  SELECT ${columns("number messageId kind at attempt status error")} FROM webhook_deliveries
  WHERE tenant = $tenant AND webhook_id = $1 AND number < $2 ORDER BY number DESC LIMIT $3`;

export function webhookRecords({ rows, change, write, reserve }: Database): WebhookRecords {
  return {
    async add({ webhookId, url, kinds, owner, createdAt, position }, most) {
      const values = [webhookId, url, JSON.stringify(kinds), JSON.stringify(owner), createdAt, position, most];
      return (await change(ADD(...values))).length > 0;
    },
    list: () => rows(LIST()),
    remove: async (webhookId) => (await reserve.change(REMOVE(webhookId))).length > 0,
    take: (now, until) => change(TAKE(now, until)),
    progress({ webhookId, position, failures, nextAt }, delivery) {
      const moved = PROGRESS(webhookId, position, failures, nextAt);
      if (delivery === undefined) return write(moved);
      const { messageId, kind, at, attempt, status = null, error = null } = delivery;
      const delivered = DELIVERED(webhookId, messageId, kind, at, attempt, status, error);
      return write(moved, COUNT(webhookId), delivered, TRIM(webhookId));
    },
    end: (webhookId, at) => write(END(webhookId, at)),
    deliveries: (webhookId, { before = UNLIMITED, limit }) =>
      pageOf("deliveries", rows(DELIVERIES(webhookId, before, limit + 1)), limit, ({ number }) => number),
  };
}
