// npm run restore: puts a backup in the place of an SQLite database.
import { parseArgs } from "node:util";
import { backups, type ChangesSinceBackup, type NamedKey } from "#compose/records.ts";
import { readConfig } from "#config.ts";
import { configurationError } from "#core/errors.ts";
import { readEnvironment } from "#environment.ts";
import { runCommand } from "./terminal.ts";

const HELP = `Puts a backup in the place of the SQLite database that DATABASE_URL names.

  npm run restore -- <folder> [--replace]
  npm run restore -- <database>.schema-<n> --replace

The second form goes back to the database as it was before an upgrade, for the older version.

  --replace   set a database that is there aside, as <file>.replaced-<time>, and its key with it

It refuses while a service runs on the database. A backup has the policy of its time: a revoke that was acknowledged
later is not in it. With --replace, each gate that the restore opens again is printed as one line of JSON, for
POST /api/policy, which closes it. Keys that were revoked or rotated since stay so: they are read from the database that
is set aside. All sessions end. Exits with 1 when nothing was restored.`;

await runCommand("restore", 1, async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { replace: { type: "boolean", default: false }, help: { type: "boolean", short: "h" } },
  });
  const [folder, ...rest] = positionals;
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  if (!folder || rest.length > 0) throw configurationError("Name one folder. --help shows how.");
  const { records, ledger } = readConfig(readEnvironment());
  if (records.kind === "postgres")
    throw configurationError("DATABASE_URL is a PostgreSQL. Restore it with pg_restore: see docs/operate.md.");
  if (records.path === ":memory:")
    throw configurationError("DATABASE_URL is :memory:, which keeps nothing. Name a file.");
  const { restoreBackup } = await backups();
  const { takenAt, policyVersion, replaced, changes } = await restoreBackup({
    source: folder,
    path: records.path,
    keyPath: ledger.kind === "local" ? ledger.keyPath : undefined,
    replace: values.replace,
    now: new Date(),
  });
  for (const leaf of changes?.reopened ?? []) process.stdout.write(`${JSON.stringify({ ...leaf, allowed: false })}\n`);
  const aside = replaced === undefined ? "" : ` What was there is ${replaced}.`;
  const sentences = [
    `${records.path} is as of ${takenAt}, policy version ${policyVersion}.${aside} All sessions have ended.`,
    ...(changes === undefined ? [revokesLost(replaced)] : linesOf(changes)),
  ];
  process.stderr.write(`${sentences.join("\n")}\n`);
});

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
