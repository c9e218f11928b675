import { existsSync } from "node:fs";
import type { Invocation } from "#cli/invocation.ts";
import type { CommandName } from "#cli/table/command-table.ts";
import { recordsOf } from "#compose/records.ts";
import { readConfig } from "#config.ts";
import { configurationError } from "#core/errors.ts";
import type { RecordStore } from "#ports.ts";

export type KeyDeps = { readonly records: RecordStore; readonly now: () => Date };

/** Opens the database alone. A new key may come before the first start; then it creates the database. */
export async function withRecords<T>(
  { serviceEnvironment, say }: Pick<Invocation<CommandName>, "serviceEnvironment" | "say">,
  work: (deps: KeyDeps) => Promise<T>,
  { schemaChange = "none" }: { readonly schemaChange?: "create" | "none" } = {},
): Promise<T> {
  const config = readConfig(await serviceEnvironment());
  const path = config.records.kind === "sqlite" ? config.records.path : undefined;
  if (path === ":memory:")
    throw configurationError("DATABASE_URL is :memory:, which keeps nothing. Name the service's database.");
  const isNew = path !== undefined && !existsSync(path);
  const records = await recordsOf(config, { serves: false, schemaChange });
  if (isNew) await say(`There was no database at ${path}. A new one is there now.`);
  try {
    return await work({ records, now: () => new Date() });
  } finally {
    await records.close();
  }
}
