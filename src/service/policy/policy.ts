import { countFitting } from "#core/count-fitting.ts";
import type { AccessRule } from "#core/gate/policy.ts";
import { checkGoverns, governs } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { ChangePosition, PolicyChangeFilter, PolicyChangePage } from "#ports.ts";
import type { Call } from "#service/call.ts";
import { decisionOf } from "#service/decisions/decision-log.ts";
import { PAGE_BYTES, weightOf } from "#service/scan-budget.ts";
import type { Tenant } from "#service/tenant.ts";
import type { VersionedRules } from "./policy-mirror.ts";

/** Answers with the policy after the change, in which later changes of others may be. */
export async function setAccess(
  tenant: Pick<Tenant, "records" | "policyMirror" | "now">,
  rule: AccessRule,
  call: Call,
): Promise<VersionedRules> {
  const { principal } = call;
  const began = performance.now();
  checkGoverns(principal, rule.namespace);
  const decision = decisionOf(tenant, call, {
    outcome: "changed",
    agentId: rule.agentId,
    namespace: rule.namespace,
    details: { allowed: rule.allowed },
  });
  const at = tenant.now().toISOString();
  const admin = principal.role === "admin" ? "admin" : "namespace-admin";
  await tenant.records.policy.set(rule, { by: principal.name, at, decision }, admin);
  const policy = await tenant.policyMirror.current();
  // In force, and about to be acknowledged. Nobody waits for the record of how long it took.
  const tookMs = Math.round(performance.now() - began);
  if (!rule.allowed) void tenant.records.reports.addRevoke({ at, tookMs }).catch(() => undefined);
  return policy;
}

/**
 * Newest first. The admin of namespaces sees the changes of these only. A page of long names, or one from which others'
 * changes were left out, may be short although it is not the last.
 */
export async function listPolicyChanges(
  tenant: Pick<Tenant, "records">,
  principal: Principal,
  query: { readonly limit: number; readonly from?: ChangePosition | undefined } & PolicyChangeFilter,
): Promise<PolicyChangePage> {
  const page = await fittingChanges(tenant, query);
  if (principal.role !== "namespace-admin") return page;
  return { ...page, changes: page.changes.filter(({ namespace }) => governs(principal, namespace)) };
}

async function fittingChanges(
  { records }: Pick<Tenant, "records">,
  query: { readonly limit: number; readonly from?: ChangePosition | undefined } & PolicyChangeFilter,
): Promise<PolicyChangePage> {
  const page = await records.policy.changes(query);
  const fitting = countFitting(page.changes.map(weightOf), PAGE_BYTES);
  return fitting < page.changes.length ? records.policy.changes({ ...query, limit: fitting }) : page;
}
