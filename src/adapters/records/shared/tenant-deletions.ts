// The deletion of tenants. A step removes some rows of one table, and counts them in the same transaction: so a deletion
// goes on after a crash where it was. Which tables there are is read from the schema.
import type { TenantRef } from "#core/identity/tenant.ts";
import type { DeletedCounts } from "#core/tombstone.ts";
import type { TenantDeletion, TenantDeletions } from "#ports.ts";
import { logStatements } from "./logs/log-entries.ts";
import { transparencyLog } from "./logs/log-tree.ts";
import { tenantTablesIn } from "./schema/schema.ts";
import { DEPLOYMENT } from "./schema/tenant-tables.ts";
import { columns, type Database, FOR_UPDATE, oneOf, reading, type Statement, statement } from "./sql.ts";
import { SCHEMAS, TENANT_COLUMNS, type TenantRow, toTenant } from "./tenants.ts";

/** They are removed in a few milliseconds. */
const ROWS_AT_ONCE = 200;
/** A row of them is as long as ten others. */
const BATCHES_AT_ONCE = 20;

const COUNTED: ReadonlyMap<string, keyof DeletedCounts> = new Map([
  ["memories", "memories"],
  ["superseded_memories", "memories"],
  ["receipts", "receipts"],
  ["begun_receipts", "receipts"],
  ["namespaces", "namespaces"],
  ["api_keys", "keys"],
]);
const NONE: DeletedCounts = { memories: 0, receipts: 0, namespaces: 0, keys: 0 };

const sumOf = (column: string, table: string) =>
  `(SELECT coalesce(sum(${column}), 0) FROM ${table} WHERE tenant = tenants.number)`;
const EXPECTED = `CAST(${sumOf("memories", "namespaces")} + ${sumOf("answers", "answer_hours")}
  - ${sumOf("answers", "pruned_hours")} AS bigint)`;
const MARK = statement`UPDATE tenants SET suspended_at = coalesce(suspended_at, $2), deletion = $3 WHERE number = $1`;
const REVOKE = statement`UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE tenant = $1`;
const COUNT = statement`UPDATE tenants SET deletion = $2 WHERE number = $1`;
const END = statement`UPDATE tenants SET deleted_at = coalesce(deleted_at, $2) WHERE number = $1`;
const UNDER_WAY = statement<TenantRef>`
  SELECT number, id FROM tenants WHERE deletion IS NOT NULL AND deleted_at IS NULL AND number > $2 ORDER BY number LIMIT $1`;
const ENDED = statement<TenantRef & { deletedAt: string }>`
  SELECT number, id, deleted_at AS "deletedAt" FROM tenants
  WHERE deleted_at >= $3 AND (deleted_at > $3 OR number > $2) ORDER BY deleted_at, number LIMIT $1`;
const QUEUED = statement`SELECT 1 FROM log_batches WHERE tenant = $1 AND queued IS NOT NULL LIMIT 1`;
const QUEUED_AT_ONCE = 200;
/** What waits stays, until it has its place in the tree. Without the end of its chain, or what is before it, it gets none. */
const PLACED = " AND (queued IS NULL OR NOT EXISTS (SELECT 1 FROM log_chains WHERE log_chains.tenant = $1))";
const OPEN = "EXISTS (SELECT 1 FROM transactions WHERE is_open AND is_open = true AND tenant = $1)";

/** The deployment keeps signed transactions. An open one stays: its outcome is recorded in its tenant. */
const KEPT: ReadonlyMap<string, string> = new Map([
  ["transactions", `UPDATE transactions SET tenant = ${DEPLOYMENT} WHERE NOT is_open AND`],
]);

export function tenantDeletions(database: Database, onForgotten = () => {}): TenantDeletions {
  const { name, rows, row, reserve } = database;
  // The totals last: while there are some, they refuse what is added, and without counters nothing can be. Before them the
  // end of the log's chain: without it, nothing that waits could be placed.
  const isLast = ({ table }: { readonly table: string }) => ["log_chains", "totals"].indexOf(table);
  const tables = tenantTablesIn(SCHEMAS[name]).toSorted((a, b) => isLast(a) - isLast(b));
  const filled = tables.map(({ table }) => `WHEN EXISTS (SELECT 1 FROM ${table} WHERE tenant = $1) THEN '${table}'`);
  const NEXT = statement<{ isOpen: number | boolean; table: string | null }>`
    SELECT ${OPEN} AS "isOpen", CASE ${filled.join(" ")} END AS "table"`;
  const FIND = reading(({ expected, ...row }: TenantRow & { expected: number }) => ({
    expected,
    tenant: toTenant(row),
  }))`
    SELECT ${TENANT_COLUMNS}, ${EXPECTED} AS expected FROM tenants WHERE id = $1 ${FOR_UPDATE}`;
  const HOLD = statement<Pick<TenantRow, "deletion" | "deletedAt">>`
    SELECT ${columns("deletion deletedAt")} FROM tenants WHERE number = $1 ${FOR_UPDATE}`;
  const removing = ({ table, key }: (typeof tables)[number], batches = PLACED) => {
    const [which, most] = table === "log_batches" ? [batches, BATCHES_AT_ONCE] : ["", ROWS_AT_ONCE];
    return statement`
      ${KEPT.get(table) ?? `DELETE FROM ${table} WHERE`} ${oneOf(table, key, `tenant = $1${which}`, most)} RETURNING tenant`;
  };
  const REMOVE = new Map(tables.map((each) => [each.table, removing(each)]));
  const ofBatches = tables.filter(({ table }) => table === "log_batches");
  const REMOVE_DAMAGED = new Map(ofBatches.map((each) => [each.table, removing(each, "")]));

  const deleted = logStatements.add([{ kind: "tenant", details: { state: "deleted" } }]);
  const { integrate } = transparencyLog(database);

  async function remove(number: number, table: string, rows: Statement): Promise<void> {
    const kind = COUNTED.get(table);
    await reserve.readThenWrite([HOLD(number), rows], ([[held], removed]) => {
      const { deletion = null, deletedAt = null } = held ?? {};
      // What was still being written at the end is removed, and a tombstone does not change.
      if (kind === undefined || deletion === null || deletedAt !== null) return { statements: [], outcome: undefined };
      const before = JSON.parse(deletion) as TenantDeletion;
      const counts = { ...before.removed, [kind]: before.removed[kind] + removed.length };
      const counted = JSON.stringify({ ...before, removed: counts });
      return { statements: [COUNT(number, counted)], outcome: undefined };
    });
  }

  return {
    begin: (id, at) =>
      reserve.readThenWrite([FIND(id)], ([[found]]) => {
        if (found?.tenant.deletion !== undefined || found === undefined)
          return { statements: [], outcome: found?.tenant };
        const { tenant, expected } = found;
        const deletion: TenantDeletion = { startedAt: at, expected, removed: NONE };
        const statements = [
          MARK(tenant.number, at, JSON.stringify(deletion)),
          REVOKE(tenant.number, at),
          ...deleted.map((each) => ({ ...each, tenant: tenant.number })),
        ];
        return { statements, outcome: { ...tenant, suspendedAt: tenant.suspendedAt ?? at, deletion } };
      }),
    list: ({ endedAfter, after = 0, limit }) =>
      rows(endedAfter === undefined ? UNDER_WAY(limit, after) : ENDED(limit, after, endedAfter)),
    async step({ number }, at) {
      const next = await row(NEXT(number));
      if (next?.isOpen) return "waiting";
      // What it has in the log is placed in the tree before its bodies go.
      let isDamaged = false;
      while (!isDamaged && (await row(QUEUED(number)))) {
        const { placed, mayGoOn, damaged } = await integrate(QUEUED_AT_ONCE);
        isDamaged = damaged.has(number);
        if (placed === 0 && !mayGoOn) break;
      }
      const table = next?.table ?? "";
      const removal = (isDamaged && REMOVE_DAMAGED.get(table)) || REMOVE.get(table);
      if (removal !== undefined) await remove(number, table, removal(number));
      else await reserve.write(END(number, at));
      onForgotten();
      return removal === undefined ? "ended" : "removed";
    },
  };
}
