// Configuration to a working service. The only file that imports adapters; tests replace parts through `overrides`.
import { memoryBlobs } from "./adapters/blobs/memory.ts";
import { extractiveModel } from "./adapters/model/extractive.ts";
import { sqliteRecords } from "./adapters/records/sqlite/index.ts";
import type { Config } from "./config.ts";
import type { Deps } from "./service/deps.ts";
import { createGatekeeper } from "./service/gatekeeper.ts";
import { newId } from "./service/ids.ts";
import { refill } from "./service/refill.ts";
import { seedWhenNew } from "./service/reset.ts";

type Parts = Pick<Config, "records" | "blobs" | "model" | "recallLimit">;

/** Ready to serve: records open, blobs there, seeded when new, the index built. */
export async function compose(config: Parts, overrides: Partial<Deps> = {}): Promise<Deps> {
  const records = overrides.records ?? sqliteRecords(config.records);
  const deps: Deps = {
    records,
    blobs: memoryBlobs(),
    model: extractiveModel(),
    gatekeeper: createGatekeeper({ records, limit: config.recallLimit }),
    now: () => new Date(),
    newId,
    ...overrides,
  };
  if (config.blobs.kind === "memory") await refill(deps);
  await seedWhenNew(deps);
  await deps.gatekeeper.catchUp();
  return deps;
}
