// The database of the service, for the commands that work on it.
import { existsSync } from "node:fs";
import type { Invocation } from "#cli/invocation.ts";
import type { CommandName } from "#cli/table/command-table.ts";
import { recordsOf } from "#compose/records.ts";
import { composeParts, type Deployment } from "#compose.ts";
import { type Config, readConfig } from "#config.ts";
import { configurationError, PortcullisError } from "#core/errors.ts";
import type { TenantRef } from "#core/identity/tenant.ts";
import type { DeploymentRecords, RecordStore, TenantRecords } from "#ports.ts";
import type { Tenant } from "#service/tenant.ts";

/** Runs `work` over an existing database, and closes the database afterwards. It neither creates nor upgrades one. */
export async function withTenant<T>(config: Config, work: (tenant: Deployment) => Promise<T>): Promise<T> {
  const tenant = await composeParts({ ...config, embedding: "table" });
  try {
    return await work(tenant);
  } finally {
    await tenant.ledger.close();
    await tenant.records.close();
  }
}

const TENANTS_AT_ONCE = 500;

/** Runs `work` in each tenant, one after the other, or in the one that is named. */
export function inEveryTenant(
  config: Config,
  work: (tenant: Tenant) => Promise<void>,
  { tenant: only }: { readonly tenant?: string | undefined } = {},
): Promise<void> {
  return withTenant(config, async ({ tenants, tenantAdministration }) => {
    if (only !== undefined) return tenants.useRecords(await namedTenant(tenants, only), work);
    let after: number | undefined;
    do {
      const page = await tenantAdministration.page({ after, limit: TENANTS_AT_ONCE });
      for (const tenant of page.tenants) if (tenant.deletion === undefined) await tenants.useRecords(tenant, work);
      after = page.next;
    } while (after !== undefined);
  });
}

async function namedTenant(tenants: Pick<TenantRecords, "find">, id: string): Promise<TenantRef> {
  const found = await tenants.find(id);
  if (found !== undefined && found.deletion === undefined) return found;
  throw new PortcullisError("not-found", "There is no tenant of this id.");
}

export type KeyParts = {
  readonly records: RecordStore & Pick<DeploymentRecords, "deploymentKeys">;
  readonly now: () => Date;
};

interface Asked extends Pick<Invocation<CommandName>, "serviceEnvironment" | "say"> {
  readonly values: { readonly tenant?: string | undefined };
}

/** Opens the database alone, for the tenant that is named, or `default`. A new key may come before the first start; then it creates the database. */
export async function withRecords<T>(
  { serviceEnvironment, say, values }: Asked,
  work: (parts: KeyParts) => Promise<T>,
  { schemaChange = "none" }: { readonly schemaChange?: "create" | "none" } = {},
): Promise<T> {
  const config = readConfig(await serviceEnvironment());
  const path = config.records.kind === "sqlite" ? config.records.path : undefined;
  if (path === ":memory:")
    throw configurationError("DATABASE_URL is :memory:, which keeps nothing. Name the service's database.");
  const isNew = path !== undefined && !existsSync(path);
  const records = await recordsOf(config, { serves: false, schemaChange });
  if (isNew) await say(`There was no database at ${path}. A new one is there now.`);
  try {
    const { deploymentKeys } = records;
    const own =
      values.tenant === undefined ? records : records.recordsOf(await namedTenant(records.tenants, values.tenant));
    return await work({ records: { ...own, deploymentKeys }, now: () => new Date() });
  } finally {
    await records.close();
  }
}
