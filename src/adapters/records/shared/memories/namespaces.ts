// Settings of namespaces. They stand in the rows of their counts, which stay when a namespace is empty.
import { defaultOf, limitReached, quotaOf } from "#adapters/records/shared/limits.ts";
import { decisionStatements } from "#adapters/records/shared/logs/decisions.ts";
import type { Fence } from "#adapters/records/shared/policy/fence.ts";
import * as sql from "#adapters/records/shared/sql.ts";
import type { NamespaceEntry, NamespaceRecords, RecordLimits } from "#ports.ts";
import { HAS_SETTINGS, type Name, nameStatements, takingNames } from "./names.ts";
import { proposalStatements } from "./proposals.ts";

const NAMESPACE_COLUMNS = sql.columns("name memories description retentionSeconds encrypted");

type EntryRow = sql.Stored<NamespaceEntry>;

/** By hand, since every capture comes here. */
function toEntry({ name, memories, description, retentionSeconds, encrypted }: EntryRow): NamespaceEntry {
  const said = description !== null && { description };
  const kept = retentionSeconds !== null && { retentionSeconds };
  return { name, memories, ...said, ...kept, encrypted: Boolean(encrypted) };
}

const QUOTA = quotaOf("namespaces", "$2");
const NO_ROOM = sql.value<number>`
  SELECT ${QUOTA} FROM totals WHERE tenant = $tenant AND name = 'namespaces' AND value >= ${QUOTA}
    AND coalesce((SELECT memories FROM namespaces WHERE tenant = $tenant AND namespaces.name = $1), 0) = 0`;

/** Rejects when the namespace is new, and there are too many. */
export async function requireRoomFor({ row }: sql.Database, namespace: string, limits: RecordLimits): Promise<void> {
  const limit = defaultOf("namespaces", limits);
  const quota = await row(NO_ROOM(namespace, limit));
  if (quota !== undefined) throw limitReached("namespaces", { limit: quota, isOwn: quota !== limit });
}

/** The names of namespaces that stay in use without any memory: `Name`. */
export const namesOfSettings = sql.statement<Name>`
  SELECT 'namespace' AS kind, name FROM namespaces WHERE tenant = $tenant AND ${HAS_SETTINGS}`();

const FIND = sql.reading(toEntry)`SELECT ${NAMESPACE_COLUMNS} FROM namespaces WHERE tenant = $tenant AND name = $1`;
// A change of `encrypted` takes a number of its own, and the head of the namespace moves to it.
const TAKE = sql.statement`UPDATE counters SET value = value + 1 WHERE tenant = $tenant AND name = 'memory'`;
const LOG_ENCRYPTION = sql.statement`
  INSERT INTO encryption_changes (tenant, sequence, namespace, encrypted, changed_by, changed_at)
  VALUES ($tenant, (SELECT value FROM counters WHERE tenant = $tenant AND name = 'memory'), $1, $2, $3, $4)`;
const MOVE_HEAD = sql.statement`
  UPDATE namespaces SET head = (SELECT value FROM counters WHERE tenant = $tenant AND counters.name = 'memory')
  WHERE tenant = $tenant AND name = $1`;
const PUT = sql.statement`
  INSERT INTO namespaces (tenant, name, memories, head, description, retention_seconds, encrypted)
  VALUES ($tenant, $1, 0, 0, $2, $3, $4)
  ON CONFLICT (tenant, name) DO UPDATE SET description = excluded.description, retention_seconds = excluded.retention_seconds,
    encrypted = excluded.encrypted`;
const IS_LISTED = `(memories > 0 OR ${HAS_SETTINGS})`;
const pageWhere = (condition: string) => sql.reading(toEntry)`
  SELECT ${NAMESPACE_COLUMNS} FROM namespaces WHERE tenant = $tenant AND name > $1 AND ${IS_LISTED} ${condition} ORDER BY name LIMIT $2`;
const AFTER = pageWhere("");
const AMONG = pageWhere(`AND ${sql.among("name", "$3")}`);

export function namespaceRecords(database: sql.Database, limits: RecordLimits, fence: Fence): NamespaceRecords {
  const { rows, row } = database;
  const { use, useAnyway } = nameStatements;
  return {
    find: (name) => row(FIND(name)),
    async put({ name, description = null, retentionSeconds = null, encrypted: wanted }, { by, at, decision }, options) {
      database.requireRoom();
      await requireRoomFor(database, name, limits);
      const names: Name[] = [{ kind: "namespace", name }];
      const reads = [sql.LOCK_MEMORIES, FIND(name)] as const;
      const plan = ([, [former]]: sql.RowsOf<typeof reads>) => {
        const wasEncrypted = former?.encrypted === true;
        const encrypted = wanted ?? wasEncrypted;
        const changed: sql.Statement[] = [
          TAKE(),
          LOG_ENCRYPTION(name, encrypted, by, at),
          MOVE_HEAD(name),
          ...(encrypted ? [proposalStatements.dropPlain(name)] : []),
        ];
        const statements = [
          PUT(name, description, retentionSeconds, encrypted),
          ...(encrypted === wasEncrypted ? [] : changed),
          ...(options?.allowConfusable ? useAnyway : use)(names),
          ...decisionStatements.add([decision]),
        ];
        return { statements, outcome: undefined, isChange: false };
      };
      const record = () => (wanted ? fence.removal(reads, plan) : database.readThenWrite(reads, plan));
      await takingNames(database, names, record, options);
    },
    page: ({ after = "", limit, names }) =>
      sql.pageOf(
        "namespaces",
        rows(names === undefined ? AFTER(after, limit + 1) : AMONG(after, limit + 1, names)),
        limit,
        ({ name }) => name,
      ),
  };
}
