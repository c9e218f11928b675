import { composeParts } from "#compose.ts";
import type { Config } from "#config.ts";
import type { Deps } from "#service/deps.ts";

/** Runs `work` over an existing database, and closes the database afterwards. It neither creates nor upgrades one. */
export async function withDeps<T>(config: Config, work: (deps: Deps) => Promise<T>): Promise<T> {
  const deps = await composeParts({ ...config, embedding: "table" });
  try {
    return await work(deps);
  } finally {
    await deps.ledger.close();
    await deps.records.close();
  }
}
