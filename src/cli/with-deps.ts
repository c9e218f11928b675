import { existsSync } from "node:fs";
import { composeParts } from "#compose.ts";
import type { Config } from "#config.ts";
import { configurationError } from "#core/errors.ts";
import type { Deps } from "#service/deps.ts";

/** Runs `work` over an existing database, and closes the database afterwards. It never creates one. */
export async function withDeps(config: Config, work: (deps: Deps) => Promise<void>): Promise<void> {
  const { records } = config;
  if (records.kind === "sqlite" && !existsSync(records.path))
    throw configurationError(`There is no database at ${records.path}. Check DATABASE_URL.`);
  const deps = await composeParts({ ...config, embedding: "table" });
  try {
    await work(deps);
  } finally {
    await deps.ledger.close();
    await deps.records.close();
  }
}
