/** Where events are sent to, and how the last deliveries went. */
export const webhookTables = (): string => `
  TABLE webhooks: tenant:integer webhook_id | url kinds owner created_at position:integer failures:integer next_at ended_at?
    deliveries:integer;
  CREATE INDEX webhooks_public_next ON webhooks (next_at) WHERE ended_at IS NULL;
  TABLE webhook_deliveries: tenant:integer webhook_id number:integer | message_id kind at attempt:integer status:integer?
    error?, FOREIGN KEY (tenant, webhook_id) REFERENCES webhooks (tenant, webhook_id) ON DELETE CASCADE;`;
