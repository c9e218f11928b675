// What operators do: they make tenants, suspend and resume them, and hand out the first key of each. They see counts, and
// nothing of what is in a tenant.
import { invalidFields, PortcullisError } from "#core/errors.ts";
import { forbidden } from "#core/identity/permissions.ts";
import { parseRole } from "#core/identity/principal.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import type { DeploymentRecords, TenantPage, TenantRecord } from "#ports.ts";
import { createKey, type IssuedKey, type NewKey } from "#service/identity/keys.ts";

interface Parts {
  readonly records: Pick<DeploymentRecords, "tenants" | "deploymentKeys" | "recordsOf">;
  readonly now: () => Date;
}

/** A tenant with its counts. */
export interface TenantUsage extends TenantRecord {
  readonly memories: number;
  readonly namespaces: number;
}

export type TenantAdministration = ReturnType<typeof createTenantAdministration>;

export function createTenantAdministration({ records, now }: Parts) {
  const { tenants, deploymentKeys, recordsOf } = records;

  async function require(id: string): Promise<TenantRecord> {
    const found = await tenants.find(id);
    if (found === undefined) throw notFound();
    return found;
  }

  async function usageOf(tenant: TenantRecord): Promise<TenantUsage> {
    const { byNamespace } = await recordsOf(tenant).memories.counts();
    const memories = [...byNamespace.values()].reduce((sum, count) => sum + count, 0);
    return { ...tenant, memories, namespaces: byNamespace.size };
  }

  return {
    /** Throws `tenant-exists` when there is one of this id. */
    async create(id: string): Promise<TenantRecord> {
      const created = await tenants.create(id, now().toISOString());
      if (created === undefined) throw new PortcullisError("tenant-exists", "There is a tenant of this id.");
      return created;
    },
    /** The tenant of this id, which is made if there is none. */
    async ensure(id: string): Promise<TenantRecord> {
      return (await tenants.create(id, now().toISOString())) ?? (await require(id));
    },
    page: (page: { readonly after?: number | undefined; readonly limit: number }): Promise<TenantPage> =>
      tenants.page(page),
    show: async (id: string): Promise<TenantUsage> => usageOf(await require(id)),

    /** From the answer on, nobody may act in a suspended tenant. Its records stay. */
    async setSuspended(id: string, isSuspended: boolean): Promise<TenantRecord> {
      if (id === DEFAULT_TENANT.id) throw forbidden("The tenant default cannot be suspended.");
      const changed = await tenants.suspend(id, isSuspended ? now().toISOString() : undefined);
      if (changed === undefined) throw notFound();
      return changed;
    },

    /** A key of an admin of the tenant. Its admin makes all others. */
    async createAdminKey(id: string, asked: Pick<NewKey, "name" | "expiresAt">, by: string): Promise<IssuedKey> {
      const { keys } = recordsOf(await require(id));
      return createKey({ records: { keys }, now }, { ...asked, role: "admin" }, by);
    },

    /** Keys that belong to no tenant. */
    keys: deploymentKeys,
    createDeploymentKey(asked: NewKey & { readonly tenants?: "all" | undefined }, by: string): Promise<IssuedKey> {
      const { role } = parseRole(asked.role, asked.captures);
      if (role !== "operator" && role !== "agent")
        throw invalidFields({
          pointer: "#/role",
          detail: "must be operator or agent:<id>; a tenant's admin makes others",
        });
      if ((role === "agent") !== (asked.tenants === "all"))
        throw invalidFields({
          pointer: "#/tenants",
          detail: "must be all for the key of an agent, and is for no other",
        });
      return createKey({ records: { keys: deploymentKeys }, now }, asked, by);
    },
  };
}

/** Refuses what only an operator may give. */
export function checkKeyOfTenant(asked: NewKey & { readonly tenants?: "all" | undefined }): void {
  if (asked.tenants !== undefined || asked.role === "operator")
    throw forbidden("Only an operator makes keys of operators, and of agents in every tenant.");
}

const notFound = () => new PortcullisError("not-found", "There is no tenant of this id.");
