// A consistent copy of an SQLite database while the service runs.
import { existsSync } from "node:fs";
import { aboutOf } from "#about.ts";
import type { Run } from "#cli/invocation.ts";
import { progressBar } from "#cli/terminal/progress-bar.ts";
import { backups } from "#compose/records.ts";
import { composeParts } from "#compose.ts";
import { type Config, readConfig } from "#config.ts";
import { configurationError } from "#core/errors.ts";
import { fsck } from "#service/operations/fsck/fsck.ts";

const MEGABYTE = 1_000_000;

export const run: Run<"backup"> = async ({ positionals, values, err, say, json, serviceEnvironment }) => {
  const [folder = ""] = positionals;
  const config = readConfig(await serviceEnvironment());
  const { records, ledger } = config;
  if (records.kind === "postgres")
    throw configurationError(
      "DATABASE_URL is a PostgreSQL. Back it up with its own tools: pg_dump --format=custom --schema=portcullis. See docs/operate.md.",
    );
  if (records.path === ":memory:") throw configurationError("DATABASE_URL is :memory:, which keeps nothing.");
  if (!existsSync(records.path))
    throw configurationError(`There is no database at ${records.path}. Check DATABASE_URL.`);
  const { takeBackup } = await backups();
  const bar = progressBar(err, 100);
  const { takenAt, schema, policyVersion } = await takeBackup({
    path: records.path,
    keyPath: keyPathOf(ledger),
    folder,
    version: aboutOf(config).version,
    onCopied: (bytes, of) => bar.show((100 * bytes) / of, `${Math.round(bytes / MEGABYTE)} MB`),
    check: values.fsck ? ({ database, key }) => check(config, database, key) : undefined,
  });
  bar.clear();
  if (values.json) return void (await json({ folder, takenAt, policyVersion, schema }));
  await say(`${folder}: taken at ${takenAt}, policy version ${policyVersion}, schema ${schema}`);
};

/** Databases of earlier versions have their key where it was. */
function keyPathOf(ledger: Config["ledger"]): string | undefined {
  if (ledger.kind !== "local") return undefined;
  const { keyPath, formerKeyPath } = ledger;
  return [keyPath, formerKeyPath].find((path) => path !== undefined && existsSync(path)) ?? keyPath;
}

/** Fails when the copy contradicts itself. */
async function check(config: Config, path: string, keyPath: string): Promise<void> {
  const ledger = config.ledger.kind === "local" ? { kind: "local" as const, keyPath } : config.ledger;
  const { indexFolder: _, ...rest } = config;
  const deps = await composeParts({ ...rest, records: { kind: "sqlite", path }, ledger, embedding: "table" });
  try {
    const { differences } = await fsck(deps, { hasKeyFile: ledger.kind === "local" ? existsSync(keyPath) : undefined });
    if (differences > 0)
      throw configurationError(`The copy has ${differences} differences. portcullis fsck on the database lists them.`);
  } finally {
    await deps.ledger.close();
    await deps.records.close();
  }
}
