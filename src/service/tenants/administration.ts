// What operators do. They see counts, and nothing of what is in a tenant.
import { defined } from "#core/defined.ts";
import { invalidFields, PortcullisError } from "#core/errors.ts";
import { forbidden } from "#core/identity/permissions.ts";
import { parseRole } from "#core/identity/principal.ts";
import { DEFAULT_TENANT, TENANT_QUOTAS, type TenantQuotas } from "#core/identity/tenant.ts";
import { tenantTombstoneBytes } from "#core/tombstone.ts";
import type { DeploymentRecords, QuotaChanges, TenantQuery, TenantRecord } from "#ports.ts";
import { createKey, type IssuedKey, type NewKey } from "#service/identity/keys.ts";
import type { ReceiptSigner } from "#service/receipts/receipt-signer.ts";
import { beginDeletion } from "./delete-tenant.ts";
import { createTenantTemplates } from "./tenant-templates.ts";

interface Parts {
  readonly records: Pick<
    DeploymentRecords,
    "tenants" | "tenantDeletions" | "tenantTemplates" | "deploymentKeys" | "useRecordsOf"
  >;
  readonly signer: Pick<ReceiptSigner, "signBytes">;
  /** The quotas of a tenant that has none of its own. */
  readonly defaults: TenantQuotas;
  readonly now: () => Date;
}

interface TenantChange {
  readonly suspended?: boolean | undefined;
  readonly quotas?: QuotaChanges | undefined;
}

export type TenantAdministration = ReturnType<typeof createTenantAdministration>;

export function createTenantAdministration({ records, signer, defaults, now }: Parts) {
  const { tenants, deploymentKeys, useRecordsOf } = records;
  const templates = createTenantTemplates(records);

  async function require(id: string): Promise<TenantRecord> {
    const found = await tenants.find(id);
    if (found === undefined) throw notFound();
    return found;
  }

  async function requireLiving(id: string): Promise<TenantRecord> {
    const found = await require(id);
    if (found.deletion !== undefined) throw new PortcullisError("tenant-deleted", "The tenant of this id was deleted.");
    return found;
  }

  /** A tenant with its counts, and the quotas that hold for it. */
  async function usageOf(tenant: TenantRecord) {
    const usage = await useRecordsOf(tenant, ({ reports }) => reports.usage());
    const own = { ...defaults, ...tenant.quotas };
    const limits = Object.fromEntries(TENANT_QUOTAS.map((name) => [name, own[name]]));
    const tombstone = await tombstoneOf(tenant);
    return { tenant, usage, limits: defined(limits), ...(tombstone && { tombstone }) };
  }

  /** Of one whose deletion has ended. Signed when it is given, as those of memories are. */
  async function tombstoneOf({ id, deletion, deletedAt }: TenantRecord) {
    if (deletion === undefined || deletedAt === undefined) return undefined;
    const tombstone = { tenantId: id, startedAt: deletion.startedAt, endedAt: deletedAt, ...deletion.removed };
    return { ...tombstone, signature: await signer.signBytes(tenantTombstoneBytes(tombstone)) };
  }

  async function make(id: string, template: string | undefined): Promise<TenantRecord | undefined> {
    const version = template === undefined ? undefined : await templates.numberOf(template);
    const made = await tenants.create(id, now().toISOString(), version);
    return made && version !== undefined ? finish(made) : made;
  }

  /** Copies its template into a tenant that does not have it yet. */
  async function finish(tenant: TenantRecord): Promise<TenantRecord> {
    const [unfinished] = await templates.unfinished({ after: tenant.number - 1, limit: 1 });
    if (unfinished?.number !== tenant.number) return tenant;
    await useRecordsOf(tenant, (own) => templates.copy(unfinished, own, now().toISOString()));
    return require(tenant.id);
  }

  /** Null goes back to the default. */
  async function setQuotas(id: string, quotas: QuotaChanges): Promise<void> {
    // Tokens and services without identities find this tenant without a look at the records.
    if (id === DEFAULT_TENANT.id && (quotas.answersPerMinute ?? quotas.writesPerMinute) !== undefined)
      throw forbidden("The tenant default has the requests a minute of the settings.");
    if ((await tenants.setQuotas(id, quotas)) === undefined) await requireLiving(id);
  }

  return {
    templates,
    /** Throws `tenant-exists` when there is one of this id, or was one. */
    async create(id: string, template?: string): Promise<TenantRecord> {
      const created = await make(id, template);
      if (created === undefined)
        throw new PortcullisError("tenant-exists", "There is a tenant of this id, or there was one.");
      return created;
    },
    /** The tenant of this id, which is made if there is none. */
    async ensure(id: string, template?: string): Promise<TenantRecord> {
      return (await make(id, template)) ?? finish(await requireLiving(id));
    },
    page: (page: TenantQuery) => tenants.page(page),
    show: async (id: string) => usageOf(await require(id)),

    /** From the answer on, nobody may act in a suspended tenant. Its records stay. */
    async update(id: string, { suspended, quotas }: TenantChange): Promise<TenantRecord> {
      if (quotas !== undefined) await setQuotas(id, quotas);
      if (suspended === undefined) return requireLiving(id);
      if (id === DEFAULT_TENANT.id) throw forbidden("The tenant default cannot be suspended.");
      return (await tenants.suspend(id, suspended ? now().toISOString() : undefined)) ?? requireLiving(id);
    },

    /** From the answer on, nobody may act in it, for good. Its records are removed in the background. */
    async remove(id: string, by: string): Promise<TenantRecord> {
      if (id === DEFAULT_TENANT.id) throw forbidden("The tenant default cannot be deleted.");
      const deleted = await beginDeletion(records, id, { by, at: now().toISOString() });
      if (deleted === undefined) throw notFound();
      return deleted;
    },

    /** A key of an admin of the tenant. Its admin makes all others. */
    async createAdminKey(id: string, asked: Pick<NewKey, "name" | "expiresAt">, by: string): Promise<IssuedKey> {
      return useRecordsOf(await requireLiving(id), (own) =>
        createKey({ records: own, now }, { ...asked, role: "admin" }, by),
      );
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
