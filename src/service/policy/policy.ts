import { countFitting } from "#core/collections/count-fitting.ts";
import type { WantedRule } from "#core/gate/policy.ts";
import { checkGoverns, forbidden, governs, notGoverned } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { ChangePosition, PolicyChangeFilter, PolicyChangePage, SetOptions, Stamp } from "#ports.ts";
import type { Call } from "#service/call.ts";
import { decisionOf } from "#service/decisions/decision-log.ts";
import { PAGE_BYTES, weightOf } from "#service/scan-budget.ts";
import type { Tenant } from "#service/tenant.ts";
import type { VersionedRules } from "./policy-mirror.ts";

type PolicyTenant = Pick<Tenant, "records" | "policyMirror" | "now">;
type Naming = Pick<SetOptions, "allowConfusable" | "ifVersion">;

/** Answers with the policy after the change, in which later changes of others may be. */
export async function setAccess(
  tenant: PolicyTenant,
  { agentId, namespace, allowed, ...naming }: WantedRule & Naming,
  call: Call,
): Promise<VersionedRules> {
  const rule = { agentId, namespace, allowed };
  checkGoverns(call.principal, namespace);
  const decision = decisionOf(tenant, call, { outcome: "changed", agentId, namespace, details: { allowed } });
  return changed(tenant, call, [rule], (by) =>
    tenant.records.policy.set(rule, { ...by, decision }, optionsFor(call, naming)),
  );
}

/** The same for many rules as one change: all or none. */
export async function setAccessBatch(
  tenant: PolicyTenant,
  { rules, ...naming }: { readonly rules: readonly WantedRule[] } & Naming,
  call: Call,
): Promise<VersionedRules> {
  const foreign = rules.findIndex(({ namespace }) => !governs(call.principal, namespace));
  if (foreign !== -1) throw notGoverned().at(`#/rules/${foreign}/namespace`);
  const decision = decisionOf(tenant, call, { outcome: "changed" });
  return changed(tenant, call, rules, (by) =>
    tenant.records.policy.setAll(rules, { ...by, decision }, optionsFor(call, naming)),
  );
}

function optionsFor({ principal }: Call, { allowConfusable, ifVersion }: Naming): SetOptions {
  const admin = principal.role === "admin" ? "admin" : "namespace-admin";
  if (allowConfusable && admin !== "admin") throw forbidden("Only a full admin allows names that look alike.");
  return { admin, allowConfusable, ifVersion };
}

async function changed(
  tenant: PolicyTenant,
  { principal }: Call,
  rules: readonly WantedRule[],
  set: (by: Stamp) => Promise<unknown>,
): Promise<VersionedRules> {
  const began = performance.now();
  const at = tenant.now().toISOString();
  await set({ by: principal.name, at });
  const policy = await tenant.policyMirror.current();
  // In force, and about to be acknowledged. Nobody waits for the record of how long it took.
  const tookMs = Math.round(performance.now() - began);
  const isRevoke = rules.some(({ allowed }) => !allowed);
  if (isRevoke) void tenant.records.reports.addRevoke({ at, tookMs }).catch(() => undefined);
  return policy;
}

type ChangeQuery = PolicyChangeFilter & { readonly limit: number; readonly from?: ChangePosition | undefined };

/** Newest first. Any page may be short: names are long, and of others' namespaces the caller sees nothing. */
export async function listPolicyChanges(tenant: Pick<Tenant, "records">, principal: Principal, query: ChangeQuery) {
  const page = await fittingChanges(tenant, query);
  if (principal.role !== "namespace-admin") return page;
  return { ...page, changes: page.changes.filter(({ namespace }) => governs(principal, namespace)) };
}

async function fittingChanges({ records }: Pick<Tenant, "records">, query: ChangeQuery): Promise<PolicyChangePage> {
  const page = await records.policy.changes(query);
  const fitting = countFitting(page.changes.map(weightOf), PAGE_BYTES);
  return fitting < page.changes.length ? records.policy.changes({ ...query, limit: fitting }) : page;
}
