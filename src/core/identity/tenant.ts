// Tenants: whom records belong to. A tenant is a customer of the deployment, or one user of a customer.
export interface TenantRef {
  /** Short, for the records alone. Never given twice. */
  readonly number: number;
  readonly id: string;
}

/** One that is being deleted is `deleted`. */
export const TENANT_STATES = ["active", "suspended", "deleted"] as const;
export type TenantState = (typeof TENANT_STATES)[number];

/** What a tenant may have at most. Of the rates, each of its callers has a limit of its own besides. */
export const TENANT_QUOTAS = [
  ...(["memories", "textBytes", "namespaces", "policyRules", "receipts"] as const),
  ...(["answersPerMinute", "writesPerMinute"] as const),
] as const;
export type QuotaName = (typeof TENANT_QUOTAS)[number];

/** Those that a tenant has of its own, in place of the defaults. */
export type TenantQuotas = Readonly<Partial<Record<QuotaName, number>>>;

/** The tenant of a deployment that never made another one. It is always there. */
export const DEFAULT_TENANT: TenantRef = { number: 1, id: "default" };

/** Stands in a header, in a path and on the command line. */
export const TENANT_ID = /^[0-9A-Za-z][0-9A-Za-z._:@+-]{0,127}$/;
export const TENANT_ID_RULE =
  "has 1 to 128 letters, digits and the characters . _ : @ + -, and begins with a letter or a digit";
