// Checks at the start that advisory locks exclude other sessions: a pooler that gives one session to several clients
// makes them void, and some databases have the functions alone. LISTEN and NOTIFY only make things faster, and are not
// checked.
import { randomInt } from "node:crypto";
import type { Client, ClientBase } from "pg";
import { statement } from "#adapters/records/shared/sql/dialect.ts";
import { configurationError, type PortcullisError } from "#core/errors.ts";
import { CHECKS } from "./advisory-locks.ts";
import type { Database } from "./database.ts";

export async function checkLocks(database: Pick<Database, "client">): Promise<void> {
  await withClient(database, (a) => withClient(database, (b) => checkSessions(a, b)));
}

/** Connects a session of its own for this work. */
export async function withClient(database: Pick<Database, "client">, work: (client: Client) => Promise<void>) {
  const client = database.client();
  client.on("error", () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Rejects with `configuration` unless `a` and `b` are two sessions whose locks exclude each other. */
export async function checkSessions(a: ClientBase, b: ClientBase): Promise<void> {
  const [ofA, ofB] = [await ask(a, PID), await ask(b, PID)];
  const id = randomInt(2 ** 31);
  const key = `(${CHECKS}, ${id})`;
  const modes = `SELECT string_agg(mode, ' ' ORDER BY mode) FROM pg_locks
    WHERE locktype = 'advisory' AND classid = ${CHECKS} AND objid = ${id}`;
  const steps: readonly (readonly [client: ClientBase, statement: string, answer: unknown])[] = [
    // The locks of sessions, shared and alone.
    [a, `SELECT pg_advisory_lock_shared${key}`, ""],
    [a, `SELECT pg_advisory_lock${key}`, ""],
    [b, modes, "ExclusiveLock ShareLock"],
    [b, `SELECT pg_try_advisory_lock_shared${key}`, false],
    [a, `SELECT pg_advisory_unlock${key}`, true],
    [b, `SELECT pg_try_advisory_lock_shared${key}`, true],
    [b, `SELECT pg_advisory_unlock_shared${key}`, true],
    [a, `SELECT pg_advisory_unlock_shared${key}`, true],
    // The locks of transactions: a change of the policy holds off actions, and an action the change.
    [a, "BEGIN", undefined],
    [a, `SELECT pg_try_advisory_xact_lock${key}`, true],
    [b, `SELECT pg_try_advisory_xact_lock_shared${key}`, false],
    [b, PID, ofB],
    [a, "COMMIT", undefined],
    [b, "BEGIN", undefined],
    [b, `SELECT pg_try_advisory_xact_lock_shared${key}`, true],
    [a, `SELECT pg_try_advisory_xact_lock${key}`, false],
    [a, PID, ofA],
    [b, "COMMIT", undefined],
  ];
  let isAsExpected = ofA !== ofB;
  for (const [client, statement, answer] of steps) isAsExpected &&= (await ask(client, statement)) === answer;
  if (!isAsExpected) throw unfitLocks(String(await ask(a, "SELECT version()")));
}

const PID = "SELECT pg_backend_pid()";

async function ask(client: ClientBase, statement: string): Promise<unknown> {
  const { rows } = await client.query<unknown[]>({ text: statement, rowMode: "array" });
  return rows[0]?.[0];
}

/** A PostgreSQL has such locks, so there must be something before it. */
function unfitLocks(version: string): PortcullisError {
  const [name = "the database"] = /^[\w.-]+( [\w.-]+){0,2}/.exec(version) ?? [];
  const isPostgres = /^PostgreSQL [\d.]+( |$)/.test(version);
  const found = isPostgres
    ? "DATABASE_URL leads to a connection pooler that lets clients share a session, as PgBouncer does with pool_mode = transaction or statement."
    : `DATABASE_URL leads to ${name}, whose advisory locks do not exclude other sessions.`;
  const advice = isPostgres
    ? "Connect to PostgreSQL directly, or set pool_mode = session."
    : "Set DATABASE_URL to a PostgreSQL.";
  return configurationError(`${found} A revoke would not be final there. ${advice}`);
}

// What the server's settings leave to chance: a crash or failover that loses what was acknowledged, at worst a revoke.

interface Settings {
  readonly fsync: string;
  readonly commit: string;
  readonly synchronousStandbys: string;
  readonly standbys: number;
}

// Everybody may count the rows of pg_stat_replication. A backup is a row, too.
const READ_SETTINGS = statement<Settings>`
  SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
    current_setting('synchronous_standby_names') AS "synchronousStandbys",
    (SELECT count(*) FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup') AS standbys`;

/** A sentence for the operator, or undefined. The settings are those of our own sessions (`prepareSession`). */
export async function durabilityWarning(database: Pick<Database, "row">): Promise<string | undefined> {
  const settings = await database.row(READ_SETTINGS());
  return settings && warningFor(settings);
}

function warningFor({ fsync, commit, synchronousStandbys, standbys }: Settings): string | undefined {
  if (fsync === "off")
    return "PostgreSQL runs with fsync = off: a revoke that was acknowledged may be lost when the server crashes. Set fsync = on.";
  if (commit === "local" || commit === "remote_write")
    return `PostgreSQL runs with synchronous_commit = ${commit}: a revoke that was acknowledged may be lost at a failover. Set synchronous_commit = on.`;
  if (standbys > 0 && synchronousStandbys === "")
    return "PostgreSQL has standbys, and none is synchronous: a revoke that was acknowledged may be lost at a failover. Set synchronous_standby_names.";
  return undefined;
}
