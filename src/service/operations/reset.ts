import { policyFrom } from "#core/gate/policy.ts";
import { forbidden } from "#core/identity/permissions.ts";
import { decisionOf } from "#service/decisions/decision-log.ts";
import type { Deps } from "#service/deps.ts";
import { storeFact } from "#service/memories/capture.ts";
import { SEED_FACTS, SEED_POLICY } from "./seed.ts";

/** What an admin asks for. With identities it is off unless ALLOW_RESET says otherwise. */
export async function resetByCaller(deps: Deps, by: string): Promise<void> {
  if (!deps.allowReset) throw forbidden("Resetting is turned off here. ALLOW_RESET=true turns it on.");
  return reset(deps, by);
}

/** Restores the seed memories and the default policy: none without a seed. Receipts and anchors are history and stay. */
export async function reset(deps: Deps, by: string): Promise<void> {
  const [facts, policy] = deps.seed === "demo" ? [SEED_FACTS, SEED_POLICY] : [[], policyFrom([])];
  const stored = await Promise.all(facts.map((fact) => storeSeed(deps, fact)));
  const memories = stored.map(({ memory }) => memory);
  const leases = stored.flatMap(({ lease }) => lease ?? []);
  const stamp = { by, at: deps.now().toISOString(), decision: decisionOf(deps, { outcome: "changed" }) };
  await deps.records.reset(memories, policy, stamp, leases);
}

async function storeSeed(deps: Deps, { pinned, ...fact }: (typeof SEED_FACTS)[number]) {
  const { memory, lease } = await storeFact(deps, fact);
  return { memory: pinned ? { ...memory, pinned } : memory, lease };
}

/** Fills a database that was never used. If several processes start at once, one of them does it. */
export async function seedWhenNew(deps: Deps): Promise<void> {
  if (deps.seed === "none") return;
  const { policy, memories } = deps.records;
  const isNew = async () => (await policy.version()) === 0 && (await memories.counts()).byNamespace.size === 0;
  if (!(await isNew())) return;
  await deps.records.locks.exclusively("seeding", async () => {
    if (await isNew()) await reset(deps, "first start");
  });
}
