// npm run backup: a consistent copy of an SQLite database while the service runs.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { aboutOf } from "#about.ts";
import { backups } from "#compose/records.ts";
import { composeParts } from "#compose.ts";
import { type Config, readConfig } from "#config.ts";
import { configurationError } from "#core/errors.ts";
import { readEnvironment } from "#environment.ts";
import { fsck } from "#service/operations/fsck/fsck.ts";
import { progressBar, runCommand } from "./terminal.ts";

const HELP = `Copies an SQLite database and the local ledger's key into a new folder, while the service runs.

  npm run backup -- <folder> [--fsck]

  --fsck   also check the copy for contradictions, as npm run fsck does

It reads the same environment as the service (DATABASE_URL). The copy is one consistent snapshot: every write that was
acknowledged before the command began is in it. Files are readable by their owner alone, and on disk when the command
ends. npm run restore -- <folder> puts a backup in place. For PostgreSQL use pg_dump: see docs/operate.md.
Exits with 1 when there is no backup.`;

const MEGABYTE = 1_000_000;

await runCommand("backup", 1, async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { fsck: { type: "boolean", default: false }, help: { type: "boolean", short: "h" } },
  });
  const [folder, ...rest] = positionals;
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  if (!folder || rest.length > 0) throw configurationError("Name one folder. --help shows how.");
  const config = readConfig(readEnvironment());
  const { records, ledger } = config;
  if (records.kind === "postgres")
    throw configurationError(
      "DATABASE_URL is a PostgreSQL. Back it up with its own tools: pg_dump --format=custom --schema=portcullis. See docs/operate.md.",
    );
  if (records.path === ":memory:") throw configurationError("DATABASE_URL is :memory:, which keeps nothing.");
  if (!existsSync(records.path))
    throw configurationError(`There is no database at ${records.path}. Check DATABASE_URL.`);
  const { takeBackup } = await backups();
  const bar = progressBar(100);
  const { takenAt, schema, policyVersion } = await takeBackup({
    path: records.path,
    keyPath: keyPathOf(ledger),
    folder,
    version: aboutOf(config).version,
    onCopied: (bytes, of) => bar.show((100 * bytes) / of, `${Math.round(bytes / MEGABYTE)} MB`),
    check: values.fsck ? ({ database, key }) => check(config, database, key) : undefined,
  });
  bar.clear();
  process.stderr.write(`${folder}: taken at ${takenAt}, policy version ${policyVersion}, schema ${schema}\n`);
});

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
      throw configurationError(`The copy has ${differences} differences. npm run fsck on the database lists them.`);
  } finally {
    await deps.ledger.close();
    await deps.records.close();
  }
}
