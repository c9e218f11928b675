import type { AccessRule, VersionedPolicy } from "#core/gate/policy.ts";
import type { Deps } from "#service/deps.ts";

/** `by` goes to the change log. There is no authentication yet, so it names the interface that the caller used. */
export function setAccess({ records, now }: Deps, rule: AccessRule, by: string): Promise<VersionedPolicy> {
  return records.policy.set(rule, { by, at: now().toISOString() });
}
