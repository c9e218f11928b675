// npm run keys: makes, lists, rotates and revokes the keys of callers, directly on the records.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { recordsOf } from "#compose/records.ts";
import { readConfig } from "#config.ts";
import { nameFault } from "#core/encoding/text-validation.ts";
import { configurationError } from "#core/errors.ts";
import { parseRole } from "#core/identity/role.ts";
import { readEnvironment } from "#environment.ts";
import type { KeyRecord, RecordStore } from "#ports.ts";
import {
  createKey,
  type IssuedKey,
  LONGEST_GRACE_SECONDS,
  listKeys,
  type NewKey,
  revokeKey,
  rotateKey,
} from "#service/identity/keys.ts";
import { runCommand } from "./terminal.ts";
import { parseTime } from "./time-option.ts";

const HELP = `Makes, lists, rotates and revokes the keys that callers use when AUTH=keys is set.

  npm run keys -- create --name <name> --role <role> [--captures <namespace>]… [--expires <time>]
  npm run keys -- list [--json]
  npm run keys -- rotate <keyId> [--grace <hours>]
  npm run keys -- revoke <keyId>

  --name       what the key is for
  --role       admin, admin:<namespace>,…, agent:<id> or auditor
  --captures   a namespace that an agent's key may capture into; none unless they are named
  --expires    a time such as 2031-01-01T00:00:00Z
  --grace      how long the old secret stays good, 24 hours at most (default: it ends at once)

It reads the same environment as the service (DATABASE_URL), works directly on the database, and may run beside the
service or before its first start. A key is printed to standard output once, and only its hash is kept
(npm run --silent keys -- create … prints nothing else there). Exits with 1 when something failed.`;

const BY = "command line";
const HOUR_SECONDS = 3_600;
const PAGE = 500;

type Deps = { readonly records: RecordStore; readonly now: () => Date };

await runCommand("keys", 1, async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: "string" },
      role: { type: "string" },
      captures: { type: "string", multiple: true },
      expires: { type: "string" },
      grace: { type: "string", default: "0" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  const [command, keyId, ...rest] = positionals;
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  if (rest.length > 0) throw configurationError("There are too many arguments. --help shows the commands.");

  const { name, role, captures, expires, grace, json } = values;
  switch (command) {
    case "create": {
      // Before the database is opened, which may create it.
      const key = newKeyOf({ name, role, captures, expires });
      return withRecords(async (deps) => print(await createKey(deps, key, BY)), { schemaChange: "create" });
    }
    case "list":
      return withRecords((deps) => list(deps, json));
    case "rotate": {
      const graceSeconds = Math.round(Number(grace) * HOUR_SECONDS);
      if (!(graceSeconds >= 0 && graceSeconds <= LONGEST_GRACE_SECONDS))
        throw configurationError("--grace takes hours, from 0 to 24.");
      return withRecords(async (deps) => print(await rotateKey(deps, idIn(keyId), { graceSeconds })));
    }
    case "revoke":
      return withRecords(async (deps) => {
        const { revokedAt } = await revokeKey(deps, idIn(keyId));
        process.stderr.write(`${keyId} is revoked since ${revokedAt}.\n`);
      });
    default:
      throw configurationError("The commands are create, list, rotate and revoke. --help shows more.");
  }
});

type Asked = Readonly<Record<"name" | "role" | "expires", string | undefined>> & {
  readonly captures: readonly string[] | undefined;
};

function newKeyOf({ name, role, captures, expires }: Asked): NewKey {
  if (name === undefined || role === undefined) throw configurationError("A key needs --name and --role.");
  const fault = nameFault(name);
  if (fault !== undefined) throw configurationError(`The name ${fault}.`);
  parseRole(role, captures);
  return { name, role, captures, expiresAt: expires === undefined ? undefined : timeIn(expires) };
}

async function list(deps: Deps, isJson: boolean): Promise<void> {
  let before: number | undefined;
  do {
    const { keys, next } = await listKeys(deps, { limit: PAGE, ...(before !== undefined && { before }) });
    for (const key of keys) process.stdout.write(`${isJson ? JSON.stringify(key) : lineOf(key, deps.now())}\n`);
    before = next;
  } while (before !== undefined);
}

/** The key goes to standard output alone, so that a script can take it. */
function print({ key, record }: IssuedKey): void {
  const { keyId, name, role, previousEndsAt } = record;
  process.stderr.write(`${keyId} (${name}, ${role}). Keep the key: it is not shown again.\n`);
  if (previousEndsAt !== undefined) process.stderr.write(`The old secret is good until ${previousEndsAt}.\n`);
  process.stdout.write(`${key}\n`);
}

function lineOf({ keyId, name, role, captures, expiresAt, revokedAt, lastUsedAt }: KeyRecord, now: Date): string {
  const ended = expiresAt !== undefined && expiresAt <= now.toISOString() ? "expired" : "expires";
  return [
    `${keyId}  ${role}  ${name}`,
    ...(captures.length > 0 ? [`captures into ${captures.join(", ")}`] : []),
    ...(expiresAt === undefined ? [] : [`${ended} ${expiresAt}`]),
    lastUsedAt === undefined ? "never used" : `last used ${lastUsedAt}`,
    ...(revokedAt === undefined ? [] : [`revoked ${revokedAt}`]),
  ].join("; ");
}

/** Opens the database alone. A new key may come before the first start; then it creates the database. */
async function withRecords(
  work: (deps: Deps) => Promise<void>,
  { schemaChange = "none" }: { readonly schemaChange?: "create" | "none" } = {},
): Promise<void> {
  const config = readConfig(readEnvironment());
  const path = config.records.kind === "sqlite" ? config.records.path : undefined;
  if (path === ":memory:")
    throw configurationError("DATABASE_URL is :memory:, which keeps nothing. Name the service's database.");
  const isNew = path !== undefined && !existsSync(path);
  const records = await recordsOf(config, { serves: false, schemaChange });
  if (isNew) process.stderr.write(`There was no database at ${path}. A new one is there now.\n`);
  try {
    await work({ records, now: () => new Date() });
  } finally {
    await records.close();
  }
}

function idIn(keyId: string | undefined): string {
  if (keyId !== undefined && /^key_[0-9A-Za-z]{11}$/.test(keyId)) return keyId;
  throw configurationError("Name the key by its id, such as key_…; list shows the ids.");
}

function timeIn(text: string): string {
  const time = parseTime(text);
  if (time !== undefined && time > new Date()) return time.toISOString();
  throw configurationError("--expires takes a time in the future, such as 2031-01-01T00:00:00Z.");
}
