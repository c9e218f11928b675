// Templates of tenants. Each change is a version, with a number of its own. A tenant has the number of the version that it
// shall have, and of the one that it has, so that what was left unfinished is found, and what a version changed.
import type { TenantTemplateRecords, UnfinishedTenant } from "#ports.ts";
import { column } from "./rows.ts";
import type { Database } from "./sql/database.ts";

const ADD = "INSERT INTO tenant_templates (name, body) VALUES ($1, $2)";
const FIND = "SELECT number, name, body FROM tenant_templates WHERE name = $1 ORDER BY number DESC LIMIT 1";
const BODY = "SELECT body FROM tenant_templates WHERE number = $1";
const NAMES = "SELECT DISTINCT name FROM tenant_templates ORDER BY name LIMIT $1";
const REMOVE = "DELETE FROM tenant_templates WHERE name = $1 RETURNING number";
const MADE_FROM = "deletion IS NULL AND template_wanted IN (SELECT number FROM tenant_templates WHERE name = $1)";
const APPLY = `
  UPDATE tenants SET template_wanted = (SELECT max(number) FROM tenant_templates WHERE name = $1) WHERE ${MADE_FROM}`;
const PROGRESS = `
  SELECT count(*) AS tenants, count(CASE WHEN template_applied = $2 THEN 1 END) AS done FROM tenants WHERE ${MADE_FROM}`;
const UNFINISHED = `
  SELECT number, id, template_wanted AS wanted, template_applied AS applied FROM tenants
  WHERE template_wanted <> coalesce(template_applied, 0) AND deletion IS NULL AND number > $1 ORDER BY number LIMIT $2`;
const FINISH = "UPDATE tenants SET template_applied = $2 WHERE number = $1 AND template_wanted = $2";

export function tenantTemplateRecords({ rows, row, write, change }: Database): TenantTemplateRecords {
  return {
    put: (name, body) => write({ text: ADD, values: [name, body] }),
    find: (name) => row({ text: FIND, values: [name] }),
    body: async (number) => (await row<{ body: string }>({ text: BODY, values: [number] }))?.body,
    names: (limit) => column(rows({ text: NAMES, values: [limit] })),
    remove: async (name) => (await change({ text: REMOVE, values: [name] })).length > 0,
    apply: (name) => write({ text: APPLY, values: [name] }),
    progress: async (name, number) =>
      (await row<{ tenants: number; done: number }>({ text: PROGRESS, values: [name, number] })) ?? {
        tenants: 0,
        done: 0,
      },
    unfinished: ({ after = 0, limit }) => rows<UnfinishedTenant>({ text: UNFINISHED, values: [after, limit] }),
    finish: (tenant, number) => write({ text: FINISH, values: [tenant, number] }),
  };
}
