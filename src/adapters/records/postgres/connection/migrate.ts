// Migrates a database to the current schema, after a check that it is ours and on a primary. Replicas of the service may
// all start at once; a lock lets one after another do it.
import type { ClientBase } from "pg";
import * as schemas from "#adapters/records/shared/database/schema-change.ts";
import { POSTGRES } from "#adapters/records/shared/schema/dialect.ts";
import { migrationsIn } from "#adapters/records/shared/schema/schema.ts";
import { configurationError } from "#core/errors.ts";
import { LOCKS } from "./advisory-locks.ts";

export const MIGRATIONS = migrationsIn(POSTGRES);

interface State {
  readonly encoding: string;
  readonly isReplica: boolean;
  /** How many tables and indices there are in a schema of our name. */
  readonly relations: number;
  readonly isOurs: boolean;
}

const STATE = `
  SELECT current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS "isReplica",
    (SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('portcullis')) AS relations,
    to_regclass('portcullis.schema_version') IS NOT NULL AS "isOurs"`;

export async function migrate(
  client: ClientBase,
  migrations: readonly string[] = MIGRATIONS,
  schemaChange: schemas.SchemaChange = "upgrade",
): Promise<void> {
  const newest = schemas.newestSchema(migrations);
  // Usually there is nothing to do. Then this needs neither the lock nor the right to create anything.
  if ((await schemaOf(client, newest, schemaChange)) === newest) return;
  await migrating(client, async () => {
    const schema = await schemaOf(client, newest, schemaChange);
    await client.query("CREATE SCHEMA IF NOT EXISTS portcullis; SET LOCAL search_path = portcullis");
    if (schema === 0) await client.query("CREATE TABLE schema_version AS SELECT 0 AS version");
    for (const migration of schemas.missingIn(schema, migrations)) await client.query(migration);
    await client.query("UPDATE schema_version SET version = $1", [newest]);
  });
}

/** One transaction of one replica at a time. The others wait for it, which may take long. */
async function migrating(client: ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query("SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0");
    await client.query(`SELECT pg_advisory_xact_lock(${LOCKS.migration})`);
    await work();
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** The number of the schema; 0 when there is none yet. Throws when the database must not be used. */
async function schemaOf(client: ClientBase, newest: number, allowed: schemas.SchemaChange): Promise<number> {
  const { rows } = await client.query<State>(STATE);
  const { encoding, isReplica, relations, isOurs } = rows[0] as State;
  refuseIf(isReplica, "This PostgreSQL is a replica, which may lag behind. Set DATABASE_URL to the primary.");
  refuseIf(
    encoding !== "UTF8",
    `This PostgreSQL database is encoded in ${encoding}. Set DATABASE_URL to one that is encoded in UTF8.`,
  );
  refuseIf(
    !isOurs && relations > 0,
    "The schema portcullis in this PostgreSQL database is another program's. Set DATABASE_URL to another database.",
  );
  const found = isOurs
    ? await client.query<{ version: number }>("SELECT version FROM portcullis.schema_version")
    : null;
  const schema = found?.rows[0]?.version ?? 0;
  schemas.requireSchema(allowed, { name: "The database", schema, newest });
  return schema;
}

function refuseIf(isWrong: boolean, message: string): void {
  if (isWrong) throw configurationError(message);
}
