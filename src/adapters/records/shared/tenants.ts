// The tenants of a deployment.
import { cutPage, present } from "#adapters/records/shared/rows.ts";
import type { TenantRecord, TenantRecords } from "#ports.ts";
import { POSTGRES, SQLITE } from "./schema/dialect.ts";
import { newTenantRows } from "./schema/tenant-tables.ts";
import type { Database } from "./sql/database.ts";

const COLUMNS = `number, id, created_at AS "createdAt", suspended_at AS "suspendedAt"`;
const ADD = `
  INSERT INTO tenants (id, created_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING ${COLUMNS}`;
const FIND = `SELECT ${COLUMNS} FROM tenants WHERE id = $1`;
const SUSPEND = `
  UPDATE tenants SET suspended_at = CASE WHEN CAST($2 AS text) IS NULL THEN NULL ELSE coalesce(suspended_at, $2) END
  WHERE id = $1 RETURNING ${COLUMNS}`;
const PAGE = `SELECT ${COLUMNS} FROM tenants WHERE number > $1 ORDER BY number LIMIT $2`;

type TenantRow = Omit<TenantRecord, "suspendedAt"> & { readonly suspendedAt: string | null };

const SCHEMAS = { sqlite: SQLITE, postgres: POSTGRES };

export function tenantRecords({ sql, rows, row, readThenWrite, reserve }: Database): TenantRecords {
  const BEGIN = newTenantRows(SCHEMAS[sql.name], "CAST($1 AS bigint)");
  return {
    create: (id, at) =>
      readThenWrite([{ text: ADD, values: [id, at] }], ([added = []]) => {
        const [tenant] = added as TenantRow[];
        const statements = tenant === undefined ? [] : BEGIN.map((text) => ({ text, values: [tenant.number] }));
        return { statements, outcome: tenant && present(tenant) };
      }),
    async find(id) {
      const found = await row<TenantRow>({ text: FIND, values: [id] });
      return found && present(found);
    },
    async suspend(id, at) {
      const [suspended] = await reserve.change<TenantRow>({ text: SUSPEND, values: [id, at ?? null] });
      return suspended && present(suspended);
    },
    async page({ after = 0, limit }) {
      const found = await rows<TenantRow>({ text: PAGE, values: [after, limit + 1] });
      const { page, more } = cutPage(found, limit, ({ number }) => number);
      return { tenants: page.map(present), ...more };
    },
  };
}
