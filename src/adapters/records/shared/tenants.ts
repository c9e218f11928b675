// The tenants of a deployment.

import type { QuotaName, TenantRef, TenantState } from "#core/identity/tenant.ts";
import type * as ports from "#ports.ts";
import { logStatements } from "./logs/log-entries.ts";
import { HAS_EVENTS } from "./logs/webhooks.ts";
import { unencryptedIn } from "./memories/encryption.ts";
import { POSTGRES, SQLITE } from "./schema/dialect.ts";
import { DEPLOYMENT, newTenantRows, QUOTA_COLUMNS } from "./schema/tenant-tables.ts";
import type { Database, Stored } from "./sql.ts";
import { among, columns, NOW, pageOf, present, reader, reading, statement, value } from "./sql.ts";

const QUOTAS = Object.entries(QUOTA_COLUMNS) as [QuotaName, string][];
export const TENANT_COLUMNS = columns(
  `number id createdAt suspendedAt deletion deletedAt ${QUOTAS.map(([name, column]) => `${name}=${column}`).join(" ")}`,
);
const ADD = reading(toTenant)`
  INSERT INTO tenants (id, created_at, template_wanted) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING RETURNING ${TENANT_COLUMNS}`;
const FIND = reading(toTenant)`SELECT ${TENANT_COLUMNS} FROM tenants WHERE id = $1`;
const SUSPEND = reading(toTenant)`
  UPDATE tenants SET suspended_at = CASE WHEN CAST($2 AS text) IS NULL THEN NULL ELSE coalesce(suspended_at, $2) END
  WHERE id = $1 AND deletion IS NULL RETURNING ${TENANT_COLUMNS}`;
const has = (table: string, column: string) =>
  `EXISTS (SELECT 1 FROM ${table} WHERE ${table}.tenant = published.tenant AND ${table}.${column} = published.id)`;
/**
 * By an index of the id alone, so that it takes as long whatever tenants there are. A tenant can import what others have
 * issued, so who issued it here is asked, and of those who imported it the first; but for what the caller's own tenant
 * has, public or not.
 */
const OWNER = statement<TenantRef>`
  SELECT number, tenants.id FROM tenants JOIN (
    SELECT tenant, imported, published_at AS at FROM published WHERE id = $1 AND (kind <> 'blob'
      OR ${has("memories", "store_ref")} OR ${has("superseded_memories", "store_ref")} OR ${has("anchors", "blob_id")})
    UNION ALL SELECT tenant, false, '' FROM memories WHERE tenant = $2 AND store_ref = $1
    UNION ALL SELECT tenant, false, '' FROM superseded_memories WHERE tenant = $2 AND store_ref = $1
    UNION ALL SELECT tenant, false, '' FROM forgotten WHERE tenant = $2 AND memory_id = $1
  ) AS owners ON owners.tenant = number
  WHERE deletion IS NULL ORDER BY number <> $2, imported, at, number LIMIT 1`;
/** In place of a quota that does not change. */
const UNCHANGED = -1;
const SET_QUOTAS = reading(toTenant)`
  UPDATE tenants SET ${QUOTAS.map(([, column], i) => `${column} = CASE CAST($${i + 2} AS bigint) WHEN ${UNCHANGED} THEN ${column} ELSE $${i + 2} END`).join(", ")}
  WHERE id = $1 AND deletion IS NULL RETURNING ${TENANT_COLUMNS}`;
const pageWhere = (isInState: string) => reading(toTenant)`
  SELECT ${TENANT_COLUMNS} FROM tenants WHERE number > $1 AND ${isInState} ORDER BY number LIMIT $2`;
const PAGES: Readonly<Record<TenantState | "any", ReturnType<typeof pageWhere>>> = {
  any: pageWhere("true"),
  active: pageWhere("suspended_at IS NULL"),
  suspended: pageWhere("suspended_at IS NOT NULL AND deletion IS NULL"),
  deleted: pageWhere("deletion IS NOT NULL"),
};

/** `deletion` is JSON. */
export type TenantRow = Stored<Omit<ports.TenantRecord, "quotas" | "deletion">> &
  Readonly<Record<QuotaName, number | null> & Record<"deletion", string | null>>;

const toHead = reader<Omit<ports.TenantRecord, "quotas">>({ json: ["deletion"] });

export function toTenant(row: TenantRow): ports.TenantRecord {
  const { number, id, createdAt, suspendedAt, deletion, deletedAt, ...quotas } = row;
  return { ...toHead({ number, id, createdAt, suspendedAt, deletion, deletedAt }), quotas: present(quotas) };
}

const SUSPENDED_AMONG = value<number>`
  SELECT number FROM tenants WHERE suspended_at IS NOT NULL AND ${among("number", "$1")}`;

export const SCHEMAS = { sqlite: SQLITE, postgres: POSTGRES };

export function tenantRecords({ name, rows, row, readThenWrite, reserve }: Database): ports.TenantRecords {
  const BEGIN = newTenantRows(SCHEMAS[name], "CAST($1 AS bigint)");
  return {
    create: (id, at, template) =>
      readThenWrite([ADD(id, at, template ?? null)], ([[tenant]]) => {
        const begin = (number: number) => [
          ...BEGIN.map((text) => ({ text, values: [number] })),
          ...logStatements
            .add([{ kind: "tenant", details: { state: "created" } }])
            .map((each) => ({ ...each, tenant: number })),
        ];
        return { statements: tenant === undefined ? [] : begin(tenant.number), outcome: tenant };
      }),
    find: (id) => row(FIND(id)),
    ownerOf: (id, own) => row(OWNER(id, own?.number ?? DEPLOYMENT)),
    suspendedAmong: (numbers) => rows(SUSPENDED_AMONG(numbers)),
    suspend: async (id, at) => (await reserve.change(SUSPEND(id, at ?? null)))[0],
    async setQuotas(id, quotas) {
      const given = QUOTAS.map(([name]) => (quotas[name] === undefined ? UNCHANGED : quotas[name]));
      return (await reserve.change(SET_QUOTAS(id, ...given)))[0];
    },
    page: ({ after = 0, limit, state }) =>
      pageOf("tenants", rows(PAGES[state ?? "any"](after, limit + 1)), limit, ({ number }) => number),
  };
}

/** The oldest two events: the last one of a tenant stays. */
const OLDEST_EVENTS = "SELECT at FROM events WHERE tenant = number ORDER BY sequence LIMIT 2";

/** A look at each tenant by its own indexes. */
export function dueWork({ rows }: Database): ports.DueWork {
  const expiredIn = (table: string) => `EXISTS (SELECT 1 FROM ${table} WHERE tenant = number AND expires_at <= ${NOW})`;
  const LOOK = reading(
    reader<ports.DueTenant>({ flags: ["expired", "keys", "begun", "events", "decisions", "proposals"] }),
  )`
    SELECT number, id, ${expiredIn("memories")} OR ${expiredIn("superseded_memories")} AS expired,
      EXISTS (SELECT 1 FROM idempotency_keys WHERE tenant = number AND begun_at < $3) AS keys,
      EXISTS (SELECT 1 FROM begun_receipts WHERE tenant = number AND reason IS NULL AND created_at < $4) AS begun,
      (SELECT count(*) FROM (${OLDEST_EVENTS}) AS oldest WHERE at < $5) = 2 AS events,
      EXISTS (SELECT 1 FROM decisions WHERE tenant = number AND at < $6) AS decisions, ${expiredIn("proposals")} AS proposals
    FROM tenants WHERE number > $1 AND deletion IS NULL ORDER BY number LIMIT $2`;
  const having = (condition: string) => statement<TenantRef & { due: boolean | number }>`
    SELECT number, id, ${condition} AS due FROM tenants WHERE number > $1 AND deletion IS NULL ORDER BY number LIMIT $2`;
  const HAVING = {
    leases: having("EXISTS (SELECT 1 FROM blob_leases WHERE tenant = number AND stored_at < $3)"),
    unencrypted: having(`EXISTS (${unencryptedIn("number")})`),
  };
  const WEBHOOKS = statement<TenantRef>`
    SELECT number, id FROM tenants WHERE deletion IS NULL AND suspended_at IS NULL AND number IN (
      SELECT tenant FROM webhooks WHERE ended_at IS NULL AND next_at <= $1 AND ${HAS_EVENTS}) ORDER BY number LIMIT $2`;
  const nextAfter = (found: readonly TenantRef[], limit: number) =>
    found.length < limit ? {} : { next: found.at(-1)?.number };
  return {
    webhooks: (now, limit) => rows(WEBHOOKS(now, limit)),
    async having(kind, { after, limit, before }) {
      const values = before === undefined ? [after, limit] : [after, limit, before];
      const found = await rows(HAVING[kind](...values));
      const due = found.filter((tenant) => tenant.due).map(({ number, id }) => ({ number, id }));
      return { due, ...nextAfter(found, limit) };
    },
    async look({ after, limit, keysBefore, begunBefore, eventsBefore, decisionsBefore }) {
      const values = [after, limit, keysBefore, begunBefore, eventsBefore, decisionsBefore];
      const found = await rows(LOOK(...values));
      const due = found.filter(({ number, id, ...kinds }) => Object.values(kinds).some(Boolean));
      return { due, ...nextAfter(found, limit) };
    },
  };
}
