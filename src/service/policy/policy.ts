import { countFitting } from "#core/count-fitting.ts";
import type { AccessRule } from "#core/gate/policy.ts";
import type { ChangePosition, PolicyChangePage } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { PAGE_BYTES, weightOf } from "#service/scan-budget.ts";
import type { VersionedLeaves } from "./live-policy.ts";

/**
 * Answers with the policy after the change, in which later changes of others may be. `by` goes to the change log. There
 * is no authentication yet, so it names the interface that the caller used.
 */
export async function setAccess(deps: Deps, rule: AccessRule, by: string): Promise<VersionedLeaves> {
  await deps.records.policy.set(rule, { by, at: deps.now().toISOString() });
  return deps.gatekeeper.policy();
}

/** Newest first. A page of long names may be short although it is not the last. */
export async function listPolicyChanges(
  { records }: Deps,
  query: { readonly limit: number; readonly from?: ChangePosition },
): Promise<PolicyChangePage> {
  const page = await records.policy.changes(query);
  const fitting = countFitting(page.changes.map(weightOf), PAGE_BYTES);
  return fitting < page.changes.length ? records.policy.changes({ ...query, limit: fitting }) : page;
}
