import { policyFrom } from "#core/gate/policy.ts";
import { forbidden } from "#core/identity/permissions.ts";
import type { Fact, Memory } from "#core/memory.ts";
import type { Call } from "#service/call.ts";
import { decisionOf } from "#service/decisions/decision-log.ts";
import { type Storer, storeFact } from "#service/memories/capture.ts";
import type { Tenant } from "#service/tenant.ts";

type Resetter = Storer & Pick<Tenant, "policyMirror" | "settings">;

/** What an admin asks for. With identities it is off unless ALLOW_RESET says otherwise. */
export async function resetByCaller(tenant: Resetter, call: Call): Promise<void> {
  if (!tenant.settings.allowReset) throw forbidden("Resetting is turned off here. ALLOW_RESET=true turns it on.");
  return reset(tenant, call.principal.name, call);
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

const fact = (sourceAgent: string, namespace: string, content: string): SeedFact => ({
  namespace,
  content,
  sourceAgent,
});

/** Oldest first. */
export const SEED_FACTS: readonly SeedFact[] = [
  {
    ...fact(
      "companion",
      "health",
      "Severe peanut allergy, carries an adrenaline pen: no peanuts and no satay at any dinner.",
    ),
    pinned: true,
  },
  fact("companion", "health", "Takes 10 mg of cetirizine every morning during the pollen season."),
  fact("companion", "health", "Blood pressure was 128 over 82 at the check-up in March."),
  fact("assistant", "diet", "Vegetarian on weekdays, fish at the weekend."),
  fact("assistant", "diet", "Dinner on Friday is booked at Lotus, the Thai place known for its satay."),
  fact("companion", "diet", "No coffee after two in the afternoon, or the night's sleep is gone."),
  fact("companion", "fitness", "Runs five kilometres on Tuesday and Thursday mornings before work."),
  fact(
    "companion",
    "fitness",
    "The left knee hurts on downhill runs; the physiotherapist advised flat routes until June.",
  ),
  fact("planner", "travel", "Flies to Lisbon on 12 May at 07:40 and prefers an aisle seat."),
  fact("planner", "travel", "The passport expires on 3 September and must be renewed before the summer trip."),
  fact("planner", "work", "Presents the quarterly roadmap to the board on 9 May at ten."),
  fact("assistant", "work", "Meets the team lead every Monday at nine."),
  fact("advisor", "finance", "Saves 400 euros a month towards a flat; 18,200 euros so far."),
  fact("advisor", "finance", "The car insurance, 61 euros a month, can be cancelled until the end of November."),
];

const rules = (agentId: string, access: Readonly<Record<string, boolean>>) =>
  Object.entries(access).map(([namespace, allowed]) => ({ agentId, namespace, allowed }));

export const SEED_POLICY = policyFrom([
  ...rules("assistant", { health: true, diet: true, fitness: true, travel: true, work: true, finance: false }),
  ...rules("companion", { health: true, diet: true, fitness: true }),
  ...rules("planner", { travel: true, work: true, diet: true, health: false }),
  ...rules("advisor", { finance: true, work: true }),
]);
