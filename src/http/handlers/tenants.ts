// Tenants, for operators. What they do is in the decision log of the tenant `default`.
import type { tenantRows } from "#contract/rows/tenants.ts";
import type { Handlers } from "#http/route-handler.ts";
import type { TenantDeletion, TenantRecord } from "#ports.ts";
import type { Call } from "#service/call.ts";
import { afterRecording } from "#service/decisions/decision-log.ts";
import { checkTakesKeys } from "#service/identity/authenticator.ts";
import type { Tenant } from "#service/tenant.ts";
import { nextCursor, pageOf } from "./replies.ts";

export const tenantHandlers: Pick<Handlers, keyof typeof tenantRows> = {
  async listTenants({ tenantAdministration }, { query }) {
    const { limit, before: after } = pageOf(query);
    const { tenants, next } = await tenantAdministration.page({ limit, after, state: query.state });
    return { tenants: tenants.map(tenantOf), ...nextCursor(next) };
  },
  createTenant: (tenant, { body, call }) =>
    recorded(tenant, call, tenant.tenantAdministration.create(body.id, body.template)),
  putTenant: (tenant, { params, body, call }) =>
    recorded(tenant, call, tenant.tenantAdministration.ensure(params.tenantId, body?.template)),
  async getTenant({ tenantAdministration }, { params }) {
    const { tenant, usage, limits, tombstone } = await tenantAdministration.show(params.tenantId);
    return { tenant: tenantOf(tenant), usage, limits, ...(tombstone && { tombstone }) };
  },
  updateTenant: (tenant, { params, body, call }) =>
    recorded(tenant, call, tenant.tenantAdministration.update(params.tenantId, body)),
  deleteTenant: (tenant, { params, principal, call }) =>
    recorded(tenant, call, tenant.tenantAdministration.remove(params.tenantId, principal.name)),
  applyTemplate: (tenant, { body, call }) =>
    afterRecording(tenant, call, tenant.tenantAdministration.templates.apply(body.template)),
  listTemplates: async ({ tenantAdministration }) => ({ templates: await tenantAdministration.templates.names() }),
  getTemplate: ({ tenantAdministration }, { params }) => tenantAdministration.templates.show(params.template),
  putTemplate: (tenant, { params, body, call }) =>
    afterRecording(tenant, call, tenant.tenantAdministration.templates.put(params.template, body)),
  async deleteTemplate(tenant, { params, call }) {
    await afterRecording(tenant, call, tenant.tenantAdministration.templates.remove(params.template));
    return {};
  },
  async createTenantKey(tenant, { params, body, principal, call }) {
    checkTakesKeys(tenant.identities);
    const created = tenant.tenantAdministration.createAdminKey(params.tenantId, body, principal.name);
    return afterRecording(tenant, call, created);
  },
};

const recorded = async (tenant: Tenant, call: Call, change: Promise<TenantRecord>) => ({
  tenant: tenantOf(await afterRecording(tenant, call, change)),
});

const tenantOf = ({ id, createdAt, suspendedAt, quotas, deletion, deletedAt }: TenantRecord) => ({
  id,
  ...(createdAt !== "" && { createdAt }),
  ...(suspendedAt !== undefined && { suspendedAt }),
  ...(Object.keys(quotas).length > 0 && { quotas }),
  ...(deletion && { deletion: progressOf(deletion, deletedAt) }),
});

function progressOf({ startedAt, expected, removed }: TenantDeletion, endedAt: string | undefined) {
  const remaining = endedAt === undefined ? Math.max(expected - removed.memories - removed.receipts, 0) : 0;
  return { startedAt, ...(endedAt !== undefined && { endedAt }), removed, remaining };
}
