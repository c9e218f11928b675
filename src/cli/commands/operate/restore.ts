// Puts a backup in the place of an SQLite database.
import type { Run } from "#cli/invocation.ts";
import { backups, type ChangesSinceBackup, type NamedKey } from "#compose/records.ts";
import { readConfig } from "#config.ts";
import { configurationError } from "#core/errors.ts";

export const run: Run<"restore"> = async ({ positionals, values, say, json, serviceEnvironment }) => {
  const [source = ""] = positionals;
  const { records, ledger } = readConfig(await serviceEnvironment());
  if (records.kind === "postgres")
    throw configurationError("DATABASE_URL is a PostgreSQL. Restore it with pg_restore: see docs/operate.md.");
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
  if (values.json) return void (await json({ path, takenAt, policyVersion, replaced, ...changes }));
  for (const leaf of changes?.reopened ?? []) await json({ ...leaf, allowed: false });
  const aside = replaced === undefined ? "" : ` What was there is ${replaced}.`;
  const sentences = [
    `${path} is as of ${takenAt}, policy version ${policyVersion}.${aside} All sessions have ended.`,
    ...(changes === undefined ? [revokesLost(replaced)] : linesOf(changes)),
  ];
  await say(sentences.join("\n"));
};

function linesOf({ reopened, revoked, rotated, unknown }: ChangesSinceBackup): string[] {
  const gates = reopened.length === 1 ? "1 gate" : `${reopened.length} gates`;
  const about = (keys: readonly NamedKey[], what: string) =>
    keys.map(({ keyId, name }) => `${keyId} (${name}) ${what}`);
  return [
    ...about(revoked, "was revoked after the backup, and stays revoked."),
    ...about(rotated, "was rotated after the backup, and keeps its newest secret."),
    ...about(unknown, "is good, and the database that was there does not have it. Revoke it if that is wrong."),
    ...(reopened.length > 0 ? [`${gates} closed after the backup, and open again: see docs/operate.md.`] : []),
  ];
}

function revokesLost(replaced: string | undefined): string {
  const unread = replaced === undefined ? "" : "It could not be read. ";
  return `${unread}Revokes after that time are not in it, neither of gates nor of keys: see docs/operate.md.`;
}
