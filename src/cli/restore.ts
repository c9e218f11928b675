// npm run restore: puts a backup in the place of an SQLite database.
import { parseArgs } from "node:util";
import { backups } from "#compose/records.ts";
import { readConfig } from "#config.ts";
import { configurationError } from "#core/errors.ts";
import { readEnvironment } from "#environment.ts";
import { runCommand } from "./terminal.ts";

const HELP = `Puts a backup in the place of the SQLite database that DATABASE_URL names.

  npm run restore -- <folder> [--replace]

  --replace   set a database that is there aside, as <file>.replaced-<time>, and its key with it

It refuses while a service runs on the database. A backup has the policy of its time: a revoke that was acknowledged
later is not in it. With --replace, each gate that the restore opens again is printed as one line of JSON, for
POST /api/policy, which closes it. Exits with 1 when nothing was restored.`;

await runCommand("restore", 1, async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { replace: { type: "boolean", default: false }, help: { type: "boolean", short: "h" } },
  });
  const [folder, ...rest] = positionals;
  if (values.help || folder === undefined) return void process.stdout.write(`${HELP}\n`);
  if (rest.length > 0) throw configurationError("Name one folder.");
  const { records, ledger } = readConfig(readEnvironment());
  if (records.kind === "postgres")
    throw configurationError("DATABASE_URL is a PostgreSQL. Restore it with pg_restore: see docs/operate.md.");
  if (records.path === ":memory:")
    throw configurationError("DATABASE_URL is :memory:, which keeps nothing. Name a file.");
  const { restoreBackup } = await backups();
  const { takenAt, policyVersion, replaced, reopened } = await restoreBackup({
    folder,
    path: records.path,
    keyPath: ledger.kind === "local" ? ledger.keyPath : undefined,
    replace: values.replace,
    now: new Date(),
  });
  for (const leaf of reopened ?? []) process.stdout.write(`${JSON.stringify({ ...leaf, allowed: false })}\n`);
  const unread = reopened === undefined ? " It could not be read, so its revokes are not known." : "";
  const aside = replaced === undefined ? "" : ` What was there is ${replaced}.${unread}`;
  process.stderr.write(
    `${records.path} is as of ${takenAt}, policy version ${policyVersion}.${aside} Revokes after that time are not in it: see docs/operate.md.\n`,
  );
});
