// Backups of an SQLite database.
import { existsSync } from "node:fs";
import { aboutOf } from "#about.ts";
import type { Runs } from "#cli/invocation.ts";
import { inEveryTenant } from "#cli/shared/database.ts";
import { progressBar } from "#cli/terminal/progress-bar.ts";
import { backups, type ChangesSinceBackup, type NamedKey } from "#compose/records.ts";
import { type Config, readConfig } from "#config.ts";
import { configurationError } from "#core/errors.ts";
import { fsck } from "#service/operations/fsck/fsck.ts";

export const runs: Runs<"backup" | "restore"> = {
  async backup({ positionals, values, err, tell, serviceEnvironment }) {
    const [folder = ""] = positionals;
    const config = readConfig(await serviceEnvironment());
    const { records, ledger } = config;
    if (records.kind === "postgres")
      throw configurationError(
        "DATABASE_URL is a PostgreSQL database. Back it up with its own tools: pg_dump --format=custom --schema=portcullis. See docs/operate.md.",
      );
    if (records.path === ":memory:") throw configurationError("DATABASE_URL is :memory:, which keeps nothing.");
    if (!existsSync(records.path))
      throw configurationError(`There is no database at ${records.path}. Check DATABASE_URL.`);
    const { takeBackup } = await backups();
    const bar = progressBar(err, 100);
    const { takenAt, schema, policyVersion } = await takeBackup({
      path: records.path,
      keyPath: ledger.kind === "local" ? ledger.keyPath : undefined,
      folder,
      version: aboutOf(config).version,
      onCopied: (bytes, of) => bar.show((100 * bytes) / of, `${Math.round(bytes / MEGABYTE)} MB`),
      check: values.fsck ? ({ database, key }) => check(config, database, key) : undefined,
    });
    bar.clear();
    const say = `${folder}: taken at ${takenAt}, policy version ${policyVersion}, schema ${schema}`;
    return tell({ folder, takenAt, policyVersion, schema }, { say });
  },

  async restore({ positionals, values, say, json, serviceEnvironment }) {
    const [source = ""] = positionals;
    const { records, ledger } = readConfig(await serviceEnvironment());
    if (records.kind === "postgres")
      throw configurationError(
        "DATABASE_URL is a PostgreSQL database. Restore it with pg_restore: see docs/operate.md.",
      );
    if (records.path === ":memory:")
      throw configurationError("DATABASE_URL is :memory:, which keeps nothing. Name a file.");
    const { path } = records;
    const { restoreBackup } = await backups();
    const { takenAt, policyVersion, replaced, changes } = await restoreBackup({
      source,
      path,
      keyPath: ledger.kind === "local" ? ledger.keyPath : undefined,
      replace: values.replace ?? false,
      now: new Date(),
    });
    if (values.json) return json({ path, takenAt, policyVersion, replaced, ...changes });
    for (const rule of changes?.reopened ?? []) await json({ ...rule, allowed: false });
    const aside = replaced === undefined ? "" : ` The replaced database is ${replaced}.`;
    const sentences = [
      `${path} is as of ${takenAt}, policy version ${policyVersion}.${aside} All sessions have ended.`,
      ...(changes === undefined ? [revokesLost(replaced)] : linesOf(changes)),
    ];
    return say(sentences.join("\n"));
  },
};

const MEGABYTE = 1_000_000;

async function check(config: Config, path: string, keyPath: string): Promise<void> {
  const ledger = config.ledger.kind === "local" ? { kind: "local" as const, keyPath } : config.ledger;
  const { indexFolder: _, ...rest } = config;
  const hasKeyFile = ledger.kind === "local" ? existsSync(keyPath) : undefined;
  let differences = 0;
  await inEveryTenant({ ...rest, records: { kind: "sqlite", path }, ledger }, async (tenant) => {
    differences += (await fsck(tenant, { hasKeyFile })).differences;
  });
  if (differences > 0)
    throw configurationError(`The copy has ${differences} differences. portcullis fsck on the database lists them.`);
}

function linesOf({ reopened, revoked, rotated, unknown }: ChangesSinceBackup): string[] {
  const gates = reopened.length === 1 ? "1 gate" : `${reopened.length} gates`;
  const about = (keys: readonly NamedKey[], what: string) =>
    keys.map(({ keyId, name }) => `${keyId} (${name}) ${what}`);
  return [
    ...about(revoked, "was revoked after the backup, and stays revoked."),
    ...about(rotated, "was rotated after the backup, and keeps its newest secret."),
    ...about(unknown, "is valid, and was not in the replaced database. Revoke it if that is wrong."),
    ...(reopened.length > 0 ? [`${gates} closed after the backup, and open again: see docs/operate.md.`] : []),
  ];
}

function revokesLost(replaced: string | undefined): string {
  const unread = replaced === undefined ? "" : "It could not be read. ";
  return `${unread}Revokes after that time are not in it, neither of gates nor of keys: see docs/operate.md.`;
}
