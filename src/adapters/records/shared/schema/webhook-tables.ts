// Where events are sent to, and how the last deliveries went.
import { columnsIn, type SchemaDialect } from "./dialect.ts";

export function webhookTables(dialect: SchemaDialect): string {
  const columns = columnsIn(dialect);
  return `
  CREATE TABLE webhooks (
    ${columns("tenant:integer webhook_id url kinds owner created_at position:integer failures:integer next_at ended_at? deliveries:integer")},
    PRIMARY KEY (tenant, webhook_id)
  ) ${dialect.clustered};
  CREATE INDEX webhooks_public_next ON webhooks (next_at) WHERE ended_at IS NULL;
  CREATE TABLE webhook_deliveries (
    ${columns("tenant:integer webhook_id number:integer message_id kind at attempt:integer status:integer? error?")},
    PRIMARY KEY (tenant, webhook_id, number),
    FOREIGN KEY (tenant, webhook_id) REFERENCES webhooks (tenant, webhook_id) ON DELETE CASCADE
  ) ${dialect.clustered};`;
}
