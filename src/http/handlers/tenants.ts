// Tenants, for operators. What they do is in the decision log of the tenant `default`.
import type { tenantRows } from "#contract/rows/tenants.ts";
import type { Handlers } from "#http/route-handler.ts";
import type { TenantDeletion, TenantRecord } from "#ports.ts";
import { afterRecording } from "#service/decisions/decision-log.ts";
import { checkTakesKeys } from "#service/identity/authenticator.ts";
import { nextCursor, pageOf } from "./replies.ts";

export const tenantHandlers: Pick<Handlers, keyof typeof tenantRows> = {
  async listTenants({ tenantAdministration }, { query }) {
    const { limit, before: after } = pageOf(query);
    const { tenants, next } = await tenantAdministration.page({ limit, after, state: query.state });
    return { tenants: tenants.map(tenantOf), ...nextCursor(next) };
  },
  async createTenant(tenant, { body, call }) {
    return {
      tenant: tenantOf(await afterRecording(tenant, call, tenant.tenantAdministration.create(body.id, body.template))),
    };
  },
  async putTenant(tenant, { params, body, call }) {
    return {
      tenant: tenantOf(
        await afterRecording(tenant, call, tenant.tenantAdministration.ensure(params.tenantId, body?.template)),
      ),
    };
  },
  async getTenant({ tenantAdministration }, { params }) {
    const { tenant, usage, limits, tombstone } = await tenantAdministration.show(params.tenantId);
    return { tenant: tenantOf(tenant), usage, limits, ...(tombstone && { tombstone }) };
  },
  async updateTenant(tenant, { params: { tenantId }, body: { suspended, quotas }, call }) {
    const change = tenant.tenantAdministration.update(tenantId, { suspended, quotas });
    return { tenant: tenantOf(await afterRecording(tenant, call, change)) };
  },
  async deleteTenant(tenant, { params, principal, call }) {
    const deletion = tenant.tenantAdministration.remove(params.tenantId, principal.name);
    return { tenant: tenantOf(await afterRecording(tenant, call, deletion)) };
  },
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
    return afterRecording(
      tenant,
      call,
      tenant.tenantAdministration.createAdminKey(params.tenantId, body, principal.name),
    );
  },
};

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
