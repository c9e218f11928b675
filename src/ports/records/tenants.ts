// Tenants: each has records of its own, and nothing of one is in those of another.
import type { Page } from "./paging.ts";
import type { RecordStore } from "./record-store.ts";

/** The records of a deployment: those of the tenant `default`, and the way to all others. */
export interface DeploymentRecords extends RecordStore {
  readonly tenants: TenantRecords;
  /** The records of one tenant. Whoever has them cannot name another. They close with the deployment's. */
  recordsOf(tenant: Pick<TenantRecord, "number">): RecordStore;
}

export interface TenantRecords {
  /** Makes a tenant, with an empty policy. Undefined when there is one of this id. */
  create(id: string, at: string): Promise<TenantRecord | undefined>;
  find(id: string): Promise<TenantRecord | undefined>;
  /** By id. */
  page(page: { readonly after?: string | undefined; readonly limit: number }): Promise<TenantPage>;
}

export interface TenantRecord {
  /** Short, for the records alone. Never given twice. */
  readonly number: number;
  readonly id: string;
  readonly createdAt: string;
  readonly suspendedAt?: string;
}

export type TenantPage = Page<"tenants", TenantRecord, string>;
