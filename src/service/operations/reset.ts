import type { Deps } from "#service/deps.ts";
import { storeFact } from "#service/memories/capture.ts";
import { SEED_FACTS, SEED_POLICY } from "./seed.ts";

/** Restores the seed memories and the default policy. Receipts and anchors are history and stay. */
export async function reset(deps: Deps, by: string): Promise<void> {
  const stored = await Promise.all(SEED_FACTS.map((fact) => storeSeed(deps, fact)));
  const memories = stored.map(({ memory }) => memory);
  const leases = stored.flatMap(({ lease }) => lease ?? []);
  await deps.records.reset(memories, SEED_POLICY, { by, at: deps.now().toISOString() }, leases);
}

async function storeSeed(deps: Deps, { pinned, ...fact }: (typeof SEED_FACTS)[number]) {
  const { memory, lease } = await storeFact(deps, fact);
  return { memory: pinned ? { ...memory, pinned } : memory, lease };
}

/** Fills a database that was never used. If several processes start at once, one of them does it. */
export async function seedWhenNew(deps: Deps): Promise<void> {
  const isNew = async () => (await deps.records.policy.version()) === 0;
  if (!(await isNew())) return;
  await deps.records.locks.exclusively("seeding", async () => {
    if (await isNew()) await reset(deps, "first start");
  });
}
