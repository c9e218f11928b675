// Records the statements that the tests of a file send to SQLite, and tells from their query plans which rows they read.
import { DatabaseSync } from "node:sqlite";
import { SQLITE } from "#adapters/records/shared/schema/dialect.ts";
import { migrationsIn } from "#adapters/records/shared/schema/schema.ts";
import { addRowDigest } from "#adapters/records/sqlite/connection/open.ts";

/** Tables of the deployment as a whole. */
export const SHARED_TABLES: ReadonlySet<string> = new Set([
  "tenants",
  // The operator's own: what tenants are made from.
  "tenant_templates",
  // A key and a session are looked up before it is known whose they are.
  "api_keys",
  "sessions",
  "signing_keys",
  // The ledger has one signer, and one queue.
  "chain_requests",
  "transactions",
  "ledger_log",
  "ledger_head",
  // The log is one tree of commitments, which name no tenant.
  "log_tiles",
  "log_head",
  "skeletons",
  // Of PostgreSQL alone: the sessions of processes, and limits by caller.
  "fence_sessions",
  "rate_limits",
  "schema_version",
  "sqlite_sequence",
  "sqlite_stat1",
  "sqlite_stat4",
]);

/** Of an index, with the columns `name` and `unique`. What is public is found without a tenant, by an index that is not unique. */
export const IS_OF_TENANT = `("unique" = 1 OR name NOT LIKE '%|_public%' ESCAPE '|')`;

export const OWNER_OF_PUBLIC_ID = /^\s*SELECT number, tenants.id FROM tenants JOIN .* FROM published WHERE id = /s;

/** Statements about tables of tenants that span them. */
export const SPANNING = [
  // A new version of Unicode: every name gets another skeleton.
  /^\s*SELECT tenant, 'namespace' AS kind, name FROM namespaces WHERE memories > 0/,
  // Entries wait in one queue for their place in the tree.
  /^\s*(SELECT|INSERT INTO) .*\bFROM log_batches WHERE queued IS NOT NULL/s,
  // Whose an id is that is public.
  OWNER_OF_PUBLIC_ID,
  // Which tenants have events to send to webhooks.
  /^\s*SELECT number, id FROM tenants WHERE .* SELECT tenant FROM webhooks WHERE ended_at IS NULL/s,
  // The ledger has one signer: which gates lack versions of their policies.
  /^\s*SELECT sent.tenant AS number, .* FROM ledger_gates WHERE tenant > /s,
];

/** From now on, until the process ends. */
export function recordStatements(): ReadonlySet<string> {
  const sent = new Set<string>();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, text: string, ...rest: []) {
    sent.add(text);
    return prepare.call(this, text, ...rest);
  };
  return sent;
}

export function emptyDatabase(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  addRowDigest(database);
  for (const migration of migrationsIn(SQLITE)) database.exec(migration);
  return database;
}

export const tenantTables = (database: DatabaseSync): string[] =>
  database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !SHARED_TABLES.has(name));

/** The steps of a statement's plan. */
export const stepsOf = (database: DatabaseSync, text: string): string[] =>
  database
    .prepare(`EXPLAIN QUERY PLAN ${text}`)
    .all()
    .map(({ detail }) => String(detail));

/** Those that read a tenant's table, but not by the tenant. */
export function readsOfOthers(database: DatabaseSync, text: string, tables: readonly string[]): string[] {
  const aliases = tables.flatMap((table) =>
    [...text.matchAll(new RegExp(`\\b${table}\\s+AS\\s+(\\w+)`, "g"))].map(([, alias]) => String(alias)),
  );
  const names = new Set([...tables, ...aliases]);
  return stepsOf(database, text).filter((step) => {
    const [, verb, name] = /^(SCAN|SEARCH) (\w+)/.exec(step) ?? [];
    return verb !== undefined && names.has(String(name)) && !/[( ]tenant=\?/.test(step);
  });
}
