// Tenants, and the rows that each begins with.
import { DEFAULT_TENANT, type QuotaName } from "#core/identity/tenant.ts";
import type { SchemaDialect } from "./dialect.ts";

/** In the place of a tenant's number: what belongs to the deployment itself. */
export const DEPLOYMENT = 0;

/** The columns of a tenant's own quotas. NULL: the default. */
export const QUOTA_COLUMNS: Readonly<Record<QuotaName, string>> = {
  memories: "most_memories",
  textBytes: "most_text_bytes",
  namespaces: "most_namespaces",
  policyRules: "most_policy_rules",
  receipts: "most_receipts",
  answersPerMinute: "most_answers",
  writesPerMinute: "most_writes",
};

/** Names of the totals. A transaction that adds too much to one is refused by the constraint of its name. */
export const TOTALS = ["memories", "textBytes", "namespaces", "policyRules", "receipts"] as const;

export type TotalName = (typeof TOTALS)[number];
export type LimitConstraint = `limit_${Lowercase<TotalName>}`;
export const limitOf = (name: TotalName) => `limit_${name.toLowerCase()}` as LimitConstraint;

export function tenantTables(dialect: SchemaDialect): string {
  const quotas = Object.values(QUOTA_COLUMNS).map((name) => `${name}:integer?`);
  return `
  -- Whom the other tables' rows belong to. Their rows have the number, which is short, and never given twice.
  -- deletion is JSON: when it began, and what was removed since. At the end, the row is a tombstone.
  -- template_wanted and template_applied are the versions of its template that it shall have, and has.
  TABLE tenants: number:key id:unique created_at suspended_at? deletion? deleted_at? template_wanted:integer?
    template_applied:integer? ${quotas.join(" ")} STORED ${dialect.free(50, dialect.rows)};
  CREATE INDEX tenants_template ON tenants (template_wanted) WHERE template_wanted IS NOT NULL;
  CREATE INDEX tenants_unfinished ON tenants (number) WHERE template_wanted <> coalesce(template_applied, 0);
  -- What tenants are made from. The greatest number of a name is its newest version.
  TABLE tenant_templates: number:key name body STORED ${dialect.rows};
  CREATE INDEX tenant_templates_name ON tenant_templates (name, number);
  CREATE INDEX tenants_deleting ON tenants (number) WHERE deletion IS NOT NULL AND deleted_at IS NULL;
  CREATE INDEX tenants_deleted ON tenants (deleted_at) WHERE deleted_at IS NOT NULL;
  INSERT INTO tenants (id, created_at) VALUES ('${DEFAULT_TENANT.id}', '');
  ${newTenantRows(dialect, String(DEFAULT_TENANT.number)).join(";\n  ")};`;
}

/** Statements for the rows that a tenant begins with. `number` is the SQL of its number. */
export function newTenantRows({ random, name }: SchemaDialect, number: string): readonly string[] {
  const counters = ["memory", "policy", "removal", ...(name === "postgres" ? ["event", "log"] : [])];
  const valuesOf = (names: readonly string[]) => names.map((each) => `(${number}, '${each}', 0)`).join(", ");
  return [
    `INSERT INTO counters (tenant, name, value) VALUES ${valuesOf(counters)}`,
    `INSERT INTO totals (tenant, name, value) VALUES ${valuesOf(TOTALS)}`,
    // The first hash of the policy's chain is random.
    `INSERT INTO policy_chain (tenant, version, chain_hash) SELECT ${number}, 0, ${random}`,
    `INSERT INTO decision_counts (tenant, part, recorded) VALUES (${number}, 0, 0)`,
  ];
}
