import type { Deps } from "#service/deps.ts";
import { store } from "#service/memories/capture.ts";
import { SEED_FACTS, SEED_POLICY } from "./seed.ts";

/** Restores the seed memories and the default policy. Receipts and anchors are history and stay. */
export async function reset(deps: Deps, by: string): Promise<void> {
  const stored = await Promise.all(SEED_FACTS.map((fact) => store(deps, fact)));
  const memories = stored.map(({ memory }) => memory);
  const leases = stored.flatMap(({ lease }) => lease ?? []);
  await deps.records.reset(memories, SEED_POLICY, { by, at: deps.now().toISOString() }, leases);
}

/** Gives a database that was never used its first content. When several start at once, one of them does. */
export async function seedWhenNew(deps: Deps): Promise<void> {
  const isNew = async () => (await deps.records.policy.current()).version === 0;
  if (!(await isNew())) return;
  await deps.records.locks.exclusively("seeding", async () => {
    if (await isNew()) await reset(deps, "first start");
  });
}
