// Templates of tenants. Each change is a version, with a number of its own. A tenant has the number of the version that it
// shall have, and of the one that it has, so that what was left unfinished is found, and what a version changed.
import type { TenantTemplateRecords, UnfinishedTenant } from "#ports.ts";
import { type Database, statement, value } from "./sql.ts";

const ADD = statement`INSERT INTO tenant_templates (name, body) VALUES ($1, $2)`;
const FIND = statement<{ number: number; body: string }>`
  SELECT number, name, body FROM tenant_templates WHERE name = $1 ORDER BY number DESC LIMIT 1`;
const BODY = value<string>`SELECT body FROM tenant_templates WHERE number = $1`;
const NAMES = value<string>`SELECT DISTINCT name FROM tenant_templates ORDER BY name LIMIT $1`;
const REMOVE = statement`DELETE FROM tenant_templates WHERE name = $1 RETURNING number`;
const MADE_FROM = "deletion IS NULL AND template_wanted IN (SELECT number FROM tenant_templates WHERE name = $1)";
const APPLY = statement`
  UPDATE tenants SET template_wanted = (SELECT max(number) FROM tenant_templates WHERE name = $1) WHERE ${MADE_FROM}`;
type Progress = { readonly tenants: number; readonly done: number };
const PROGRESS = statement<Progress>`
  SELECT count(*) AS tenants, count(CASE WHEN template_applied = $2 THEN 1 END) AS done FROM tenants WHERE ${MADE_FROM}`;
const UNFINISHED = statement<UnfinishedTenant>`
  SELECT number, id, template_wanted AS wanted, template_applied AS applied FROM tenants
  WHERE template_wanted <> coalesce(template_applied, 0) AND deletion IS NULL AND number > $1 ORDER BY number LIMIT $2`;
const FINISH = statement`UPDATE tenants SET template_applied = $2 WHERE number = $1 AND template_wanted = $2`;

export function tenantTemplateRecords({ rows, row, write, change }: Database): TenantTemplateRecords {
  return {
    put: (name, body) => write(ADD(name, body)),
    find: (name) => row(FIND(name)),
    body: (number) => row(BODY(number)),
    names: (limit) => rows(NAMES(limit)),
    remove: async (name) => (await change(REMOVE(name))).length > 0,
    apply: (name) => write(APPLY(name)),
    progress: async (name, number) => (await row(PROGRESS(name, number))) as Progress,
    unfinished: ({ after = 0, limit }) => rows(UNFINISHED(after, limit)),
    finish: (tenant, number) => write(FINISH(tenant, number)),
  };
}
