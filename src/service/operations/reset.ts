import { type AccessRule, policyFrom, rulesOf } from "#core/gate/policy.ts";
import { forbidden } from "#core/identity/permissions.ts";
import type { Fact, Memory } from "#core/memory.ts";
import type { Call } from "#service/call.ts";
import { decisionOf } from "#service/decisions/decision-log.ts";
import { type Storer, storeFact } from "#service/memories/capture.ts";
import type { Tenant } from "#service/tenant.ts";
import demo from "./demo.json" with { type: "json" };

type Resetter = Storer & Pick<Tenant, "policyMirror" | "settings">;

/** What an admin asks for. With identities it is off unless ALLOW_RESET says otherwise. */
export async function resetByCaller(tenant: Resetter, call: Call): Promise<void> {
  if (!tenant.settings.allowReset) throw forbidden("Resetting is turned off here. ALLOW_RESET=true turns it on.");
  return reset(tenant, call.principal.name, call);
}

/** Whether a reset is allowed, and would take nothing but the demo's: no memory and no rule of anybody else is on record. */
export async function isDemo({
  records,
  policyMirror,
  settings,
}: Pick<Tenant, "records" | "policyMirror" | "settings">) {
  if (!settings.allowReset || settings.seed !== "demo") return false;
  const { memories } = await records.memories.page({ limit: SEED_FACTS.length + 1 });
  const { rules } = await policyMirror.current();
  // A policy of more than one chunk has more rules than the demo's.
  return memories.every(isSeedFact) && rules.length <= 1 && rules.flat().every(isSeedRule);
}

/** Restores the seed memories and the default policy: none without a seed. Receipts and anchors are history and stay. */
export async function reset(tenant: Resetter, by: string, call?: Call): Promise<void> {
  const [facts, policy] = tenant.settings.seed === "demo" ? [SEED_FACTS, SEED_POLICY] : [[], policyFrom([])];
  const stored = await Promise.all(facts.map((fact) => storeSeed(tenant, fact)));
  const memories = stored.map(({ memory }) => memory);
  const leases = stored.flatMap(({ lease }) => lease ?? []);
  const stamp = { by, at: tenant.now().toISOString(), decision: decisionOf(tenant, call, { outcome: "changed" }) };
  await tenant.records.reset(memories, policy, stamp, leases);
}

async function storeSeed(tenant: Storer, { pinned, ...fact }: (typeof SEED_FACTS)[number]) {
  const { memory, lease } = await storeFact(tenant, fact);
  return { memory: pinned ? { ...memory, pinned } : memory, lease };
}

/** Fills a database that was never used. If several processes start at once, one of them does it. */
export async function seedWhenNew(tenant: Resetter): Promise<void> {
  if (tenant.settings.seed === "none") return;
  const { policy, memories } = tenant.records;
  const isNew = async () => (await policy.version()) === 0 && (await memories.counts()).byNamespace.size === 0;
  if (!(await isNew())) return;
  await tenant.records.locks.exclusively("seeding", async () => {
    if (await isNew()) await reset(tenant, "first start");
  });
}

// The seed of a new database: a few weeks of one person's life, captured by four agents. To see the gate at work, ask
// about Friday's dinner, revoke `health` or `diet`, and ask again.

type SeedFact = Fact & Pick<Memory, "pinned">;

/** Oldest first. */
export const SEED_FACTS = demo.memories as readonly SeedFact[];

export const SEED_POLICY = policyFrom(rulesOf(demo.policy));

const SEED_NAMESPACES: ReadonlySet<string> = new Set(SEED_FACTS.map(({ namespace }) => namespace));

const isSeedFact = (fact: Fact): boolean =>
  SEED_FACTS.some(
    ({ namespace, sourceAgent, content }) =>
      namespace === fact.namespace && sourceAgent === fact.sourceAgent && content === fact.content,
  );

const isSeedRule = ({ agentId, namespace }: Omit<AccessRule, "allowed">): boolean =>
  Object.hasOwn(demo.policy, agentId) && SEED_NAMESPACES.has(namespace);
