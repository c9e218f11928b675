import type { AccessRule, VersionedPolicy } from "#core/gate/policy.ts";
import type { ChangePosition, PolicyChangePage } from "#ports.ts";
import type { Deps } from "#service/deps.ts";

export function getPolicy({ records }: Deps): Promise<VersionedPolicy> {
  return records.policy.current();
}

/** `by` goes to the change log. There is no authentication yet, so it names the interface that the caller used. */
export function setAccess({ records, now }: Deps, rule: AccessRule, by: string): Promise<VersionedPolicy> {
  return records.policy.set(rule, { by, at: now().toISOString() });
}

/** Newest first. */
export function policyChanges(
  { records }: Deps,
  page: { readonly from?: ChangePosition; readonly limit: number },
): Promise<PolicyChangePage> {
  return records.policy.changes(page);
}
