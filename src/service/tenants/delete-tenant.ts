// The deletion of a tenant. It is final when it is acknowledged: nobody may act in the tenant any more, and no answer that
// was under way leaves. What is on record is removed in the background, in short steps, and goes on after a crash.
import { setTimeout as delay } from "node:timers/promises";
import { rulesOf } from "#core/gate/policy.ts";
import type { TenantRef } from "#core/identity/tenant.ts";
import type { DeploymentRecords, TenantRecord } from "#ports.ts";

/** As many as one change of a policy takes. */
const RULES_AT_ONCE = 1_000;
/** A pause follows each step, as long as the step if that is short, in which others write. */
const LONGEST_PAUSE_MS = 30;
/** So that one large tenant does not hold up the deletion of others. */
const STEPS_A_VISIT = 500;

type Records = Pick<DeploymentRecords, "tenantDeletions" | "useRecordsOf">;

/** Undefined when there is no tenant of this id. May be repeated. */
export async function beginDeletion(
  { tenantDeletions, useRecordsOf }: Records,
  id: string,
  stamp: { readonly by: string; readonly at: string },
): Promise<TenantRecord | undefined> {
  const deleted = await tenantDeletions.begin(id, stamp.at);
  if (deleted === undefined || deleted.deletedAt !== undefined) return deleted;
  // A request that began before may still answer. Each change of the policy waits for its fence, or stops it: so does one
  // of no rules.
  await useRecordsOf(deleted, async ({ policy }) => {
    const rules = rulesOf((await policy.current()).policy).map((rule) => ({ ...rule, allowed: null }));
    for (let at = 0; at === 0 || at < rules.length; at += RULES_AT_ONCE)
      await policy.setAll(rules.slice(at, at + RULES_AT_ONCE), stamp);
  });
  return deleted;
}

interface Deleter {
  readonly tenantDeletions: DeploymentRecords["tenantDeletions"];
  readonly tenants: { drop(tenant: TenantRef): Promise<void> };
  readonly now: () => Date;
}

/** Removes what is on record of a tenant that is being deleted, up to a number of steps. */
export async function continueDeletion(
  { tenantDeletions, tenants, now }: Deleter,
  tenant: TenantRef,
  signal: AbortSignal,
): Promise<void> {
  await tenants.drop(tenant);
  for (let step = 0; step < STEPS_A_VISIT && !signal.aborted; step++) {
    const began = performance.now();
    if ((await tenantDeletions.step(tenant, now().toISOString())) !== "removed") return;
    await delay(Math.min(performance.now() - began, LONGEST_PAUSE_MS));
  }
}
