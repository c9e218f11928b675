// The tenants of a deployment.

import { column, cutPage, ifFound, present, reader } from "#adapters/records/shared/rows.ts";
import type { QuotaName, TenantRef, TenantState } from "#core/identity/tenant.ts";
import type { DueTenant, DueWork, TenantRecord, TenantRecords } from "#ports.ts";
import { logStatements } from "./logs/log-entries.ts";
import { HAS_EVENTS } from "./logs/webhooks.ts";
import { unencryptedIn } from "./memories/encryption.ts";
import { POSTGRES, SQLITE } from "./schema/dialect.ts";
import { newTenantRows, QUOTA_COLUMNS } from "./schema/tenant-tables.ts";
import type { Database } from "./sql/database.ts";
import { among, NOW } from "./sql/dialect.ts";

const QUOTAS = Object.entries(QUOTA_COLUMNS);
export const TENANT_COLUMNS = `number, id, created_at AS "createdAt", suspended_at AS "suspendedAt", deletion,
  deleted_at AS "deletedAt", ${QUOTAS.map(([name, column]) => `${column} AS "${name}"`).join(", ")}`;
const ADD = `
  INSERT INTO tenants (id, created_at, template_wanted) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING RETURNING ${TENANT_COLUMNS}`;
const FIND = `SELECT ${TENANT_COLUMNS} FROM tenants WHERE id = $1`;
const SUSPEND = `
  UPDATE tenants SET suspended_at = CASE WHEN CAST($2 AS text) IS NULL THEN NULL ELSE coalesce(suspended_at, $2) END
  WHERE id = $1 AND deletion IS NULL RETURNING ${TENANT_COLUMNS}`;
const has = (table: string, column: string) =>
  `EXISTS (SELECT 1 FROM ${table} WHERE ${table}.tenant = published.tenant AND ${table}.${column} = published.id)`;
/** When the blob of a receipt was published here, and not when it was anchored, which an import brings along. */
const publishedAt = (table: string) =>
  `coalesce((SELECT published_at FROM published WHERE published.tenant = ${table}.tenant AND id = ${table}.blob_id), '~')`;
/**
 * Each by an index of that column alone, so that it takes as long whatever tenants there are. A tenant can import what
 * others have published, so whoever was first is asked; but for what the caller's own tenant has, public or not.
 */
const OWNER = `
  SELECT number, tenants.id FROM tenants JOIN (
    SELECT tenant, published_at AS at FROM published WHERE id = $1 AND (kind = 'memory'
      OR ${has("memories", "store_ref")} OR ${has("superseded_memories", "store_ref")} OR ${has("anchors", "blob_id")})
    UNION ALL SELECT tenant, ${publishedAt("anchors")} FROM anchors WHERE digest = $1 AND issued_answer IS NOT NULL
    UNION ALL SELECT tenant, ${publishedAt("anchors")} FROM anchors WHERE issued_answer = $1
    UNION ALL SELECT tenant, ${publishedAt("chain_anchors")} FROM chain_anchors WHERE receipt_id = $1
    UNION ALL SELECT tenant, ${publishedAt("chain_anchors")} FROM chain_anchors WHERE tx_digest = $1
    UNION ALL SELECT tenant, '' FROM memories WHERE tenant = $2 AND store_ref = $1
    UNION ALL SELECT tenant, '' FROM superseded_memories WHERE tenant = $2 AND store_ref = $1
    UNION ALL SELECT tenant, '' FROM forgotten WHERE tenant = $2 AND memory_id = $1
  ) AS owners ON owners.tenant = number
  WHERE deletion IS NULL ORDER BY number <> $2, at, number LIMIT 1`;
/** In place of a quota that does not change. */
const UNCHANGED = -1;
const SET_QUOTAS = `
  UPDATE tenants SET ${QUOTAS.map(([, column], i) => `${column} = CASE CAST($${i + 2} AS bigint) WHEN ${UNCHANGED} THEN ${column} ELSE $${i + 2} END`).join(", ")}
  WHERE id = $1 AND deletion IS NULL RETURNING ${TENANT_COLUMNS}`;
const IN_STATE: Readonly<Record<TenantState, string>> = {
  active: "suspended_at IS NULL",
  suspended: "suspended_at IS NOT NULL AND deletion IS NULL",
  deleted: "deletion IS NOT NULL",
};
const pageIn = (state: TenantState | undefined) => `
  SELECT ${TENANT_COLUMNS} FROM tenants WHERE number > $1 ${state ? `AND ${IN_STATE[state]}` : ""} ORDER BY number LIMIT $2`;

export interface TenantRow extends TenantRef, Readonly<Record<QuotaName, number | null>> {
  readonly createdAt: string;
  readonly suspendedAt: string | null;
  /** JSON. */
  readonly deletion: string | null;
  readonly deletedAt: string | null;
}

const toHead = reader<Omit<TenantRecord, "quotas">>({ json: ["deletion"] });

export function toTenant(row: TenantRow): TenantRecord {
  const { number, id, createdAt, suspendedAt, deletion, deletedAt, ...quotas } = row;
  return { ...toHead({ number, id, createdAt, suspendedAt, deletion, deletedAt }), quotas: present(quotas) };
}

export const SCHEMAS = { sqlite: SQLITE, postgres: POSTGRES };

export function tenantRecords({ name, rows, row, readThenWrite, reserve }: Database): TenantRecords {
  const SUSPENDED_AMONG = `
    SELECT number FROM tenants WHERE suspended_at IS NOT NULL AND ${among("number", "$1")}`;
  const BEGIN = newTenantRows(SCHEMAS[name], "CAST($1 AS bigint)");
  return {
    create: (id, at, template) =>
      readThenWrite([{ text: ADD, values: [id, at, template ?? null] }], ([added = []]) => {
        const [tenant] = added as TenantRow[];
        const begin = (number: number) => [
          ...BEGIN.map((text) => ({ text, values: [number] })),
          ...logStatements
            .add([{ kind: "tenant", details: { state: "created" } }])
            .map((each) => ({ ...each, tenant: number })),
        ];
        const statements = tenant === undefined ? [] : begin(tenant.number);
        return { statements, outcome: tenant && toTenant(tenant) };
      }),
    find: (id) => row<TenantRow>({ text: FIND, values: [id] }).then(ifFound(toTenant)),
    ownerOf: (id, own) => row<TenantRef>({ text: OWNER, values: [id, own.number] }),
    suspendedAmong: (numbers) => column(rows({ text: SUSPENDED_AMONG, values: [numbers] })),
    async suspend(id, at) {
      const [suspended] = await reserve.change<TenantRow>({ text: SUSPEND, values: [id, at ?? null] });
      return suspended && toTenant(suspended);
    },
    async setQuotas(id, quotas) {
      const given = QUOTAS.map(([name]) => quotas[name as QuotaName]);
      const values = [id, ...given.map((quota) => (quota === undefined ? UNCHANGED : quota))];
      const [changed] = await reserve.change<TenantRow>({ text: SET_QUOTAS, values });
      return changed && toTenant(changed);
    },
    async page({ after = 0, limit, state }) {
      const found = await rows<TenantRow>({ text: pageIn(state), values: [after, limit + 1] });
      const { page, more } = cutPage(found, limit, ({ number }) => number);
      return { tenants: page.map(toTenant), ...more };
    },
  };
}

const toDue = reader<DueTenant>({ flags: ["expired", "keys", "begun", "events", "decisions", "proposals"] });

/** The oldest two events: the last one of a tenant stays. */
const OLDEST_EVENTS = "SELECT at FROM events WHERE tenant = number ORDER BY sequence LIMIT 2";

/** A look at each tenant by its own indexes. */
export function dueWork({ rows }: Database): DueWork {
  const expiredIn = (table: string) => `EXISTS (SELECT 1 FROM ${table} WHERE tenant = number AND expires_at <= ${NOW})`;
  const LOOK = `
    SELECT number, id, ${expiredIn("memories")} OR ${expiredIn("superseded_memories")} AS expired,
      EXISTS (SELECT 1 FROM idempotency_keys WHERE tenant = number AND begun_at < $3) AS keys,
      EXISTS (SELECT 1 FROM begun_receipts WHERE tenant = number AND reason IS NULL AND created_at < $4) AS begun,
      (SELECT count(*) FROM (${OLDEST_EVENTS}) AS oldest WHERE at < $5) = 2 AS events,
      EXISTS (SELECT 1 FROM decisions WHERE tenant = number AND at < $6) AS decisions, ${expiredIn("proposals")} AS proposals
    FROM tenants WHERE number > $1 AND deletion IS NULL ORDER BY number LIMIT $2`;
  const having = (condition: string) => `
    SELECT number, id, ${condition} AS due FROM tenants WHERE number > $1 AND deletion IS NULL ORDER BY number LIMIT $2`;
  const HAVING = {
    leases: having("EXISTS (SELECT 1 FROM blob_leases WHERE tenant = number AND stored_at < $3)"),
    unencrypted: having(`EXISTS (${unencryptedIn("number")})`),
  };
  const WEBHOOKS = `
    SELECT number, id FROM tenants WHERE deletion IS NULL AND suspended_at IS NULL AND number IN (
      SELECT tenant FROM webhooks WHERE ended_at IS NULL AND next_at <= $1 AND ${HAS_EVENTS}) ORDER BY number LIMIT $2`;
  const nextAfter = (found: readonly TenantRef[], limit: number) =>
    found.length < limit ? {} : { next: found.at(-1)?.number };
  return {
    webhooks: (now, limit) => rows<TenantRef>({ text: WEBHOOKS, values: [now, limit] }),
    async having(kind, { after, limit, before }) {
      const values = before === undefined ? [after, limit] : [after, limit, before];
      const found = await rows<TenantRef & { due: boolean | number }>({ text: HAVING[kind], values });
      const due = found.filter((tenant) => tenant.due).map(({ number, id }) => ({ number, id }));
      return { due, ...nextAfter(found, limit) };
    },
    async look({ after, limit, keysBefore, begunBefore, eventsBefore, decisionsBefore }) {
      const values = [after, limit, keysBefore, begunBefore, eventsBefore, decisionsBefore];
      const found = (await rows<object>({ text: LOOK, values })).map(toDue);
      const due = found.filter(({ number, id, ...kinds }) => Object.values(kinds).some(Boolean));
      return { due, ...nextAfter(found, limit) };
    },
  };
}
