// Tenants by the ten thousand, without a request for each: one is filled by the API, and its rows are copied in SQL. All of
// them have the same texts, and their memories have ids of their own.
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { addRowDigest } from "#adapters/records/sqlite/connection/open.ts";

/** Where a deployment has its records, by SQL, while no service uses them. */
export interface RawDatabase {
  run(statement: string): Promise<void>;
  rows(query: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  bytes(): Promise<number>;
  close(): Promise<void>;
}

/** Tables of tenants whose rows say something of files, or have ids that no two rows may have. */
const NOT_COPIED = ["tenants", "api_keys", "index_snapshots", "chain_requests", "transactions"];

export const tenantIdOf = (i: number): string => `t${i}`;
/** The tenant that is copied. Nobody asks in it: its answers would be copied, too. */
export const TEMPLATE = "template";

/**
 * Memories have ids of their own. Nothing of a copy waits for its place in the log: a million entries would be placed while
 * the service is measured, and before a tenant that is deleted is done.
 */
const COPIED_AS: ReadonlyMap<string, string> = new Map([
  ["memory_id", "memory_id || tenants.number"],
  ["queued", "NULL"],
]);

/** So many tenants have their rows copied by one statement for each table. */
const AT_ONCE = 2_000;

/** Until there are so many copies. */
export async function copyTenant(
  { run, rows }: RawDatabase,
  count: number,
  onCopied: (copies: number) => void,
): Promise<void> {
  const [{ number: template } = {}] = await rows(`SELECT number FROM tenants WHERE id = '${TEMPLATE}'`);
  const [{ count: had } = {}] = await rows(
    `SELECT count(*) AS count FROM tenants WHERE id LIKE 't%' AND id <> '${TEMPLATE}'`,
  );
  const tables = await columnsOf(rows);
  for (let start = Number(had); start < count; start += AT_ONCE) {
    const [{ last } = {}] = await rows("SELECT max(number) AS last FROM tenants");
    const end = Math.min(start + AT_ONCE, count);
    await run("BEGIN");
    await run(`INSERT INTO tenants (id, created_at)
      WITH RECURSIVE numbers (n) AS (SELECT ${start} UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${end})
      SELECT 't' || n, '2026-01-01T00:00:00.000Z' FROM numbers`);
    for (const [table, columns] of tables) {
      if (!columns.includes("tenant") || NOT_COPIED.includes(table)) continue;
      const others = columns.filter((name) => name !== "tenant");
      const copied = others.map((name) => COPIED_AS.get(name) ?? `old.${name}`);
      await run(`INSERT INTO ${table} (tenant, ${others.join(", ")})
        SELECT tenants.number, ${copied.join(", ")} FROM tenants CROSS JOIN ${table} AS old
        WHERE old.tenant = ${template} AND tenants.number > ${last}`);
    }
    await run("COMMIT");
    onCopied(end);
  }
}

async function columnsOf(rows: RawDatabase["rows"]): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>();
  for (const { table, name } of await rows("SELECT * FROM columns_of_tables"))
    tables.set(String(table), [...(tables.get(String(table)) ?? []), String(name)]);
  return tables;
}

export function rawSqlite(path: string): RawDatabase {
  const database = new DatabaseSync(path);
  addRowDigest(database);
  database.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -400000;
    CREATE TEMP VIEW columns_of_tables AS SELECT tables.name AS "table", columns.name AS name
    FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`);
  return {
    run: async (statement) => database.exec(statement),
    rows: async (query) => database.prepare(query).all(),
    async bytes() {
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      return statSync(path).size;
    },
    close: async () => database.close(),
  };
}

export async function createDatabase(server: string, name: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
}

export async function rawPostgres(url: string): Promise<RawDatabase> {
  const client = new Client({ connectionString: url });
  // A server that stops ends the connection, and whoever waits for a reply is told.
  client.on("error", () => undefined);
  await client.connect();
  await client.query(`SET search_path = portcullis; SET synchronous_commit = off;
    CREATE TEMP VIEW columns_of_tables AS SELECT table_name AS "table", column_name AS name
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'portcullis' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'`);
  const rows = async (query: string) => (await client.query(query)).rows;
  return {
    async run(statement) {
      await client.query(statement);
    },
    rows,
    async bytes() {
      await client.query("VACUUM ANALYZE");
      return Number((await rows("SELECT pg_database_size(current_database()) AS bytes"))[0]?.bytes);
    },
    close: () => client.end(),
  };
}
