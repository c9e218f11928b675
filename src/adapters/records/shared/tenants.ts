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
const PAGE = `SELECT ${COLUMNS} FROM tenants WHERE id > $1 ORDER BY id LIMIT $2`;

type TenantRow = Omit<TenantRecord, "suspendedAt"> & { readonly suspendedAt: string | null };

const SCHEMAS = { sqlite: SQLITE, postgres: POSTGRES };

export function tenantRecords({ sql, rows, row, readThenWrite }: Database): TenantRecords {
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
    async page({ after = "", limit }) {
      const found = await rows<TenantRow>({ text: PAGE, values: [after, limit + 1] });
      const { page, more } = cutPage(found, limit, ({ id }) => id);
      return { tenants: page.map(present), ...more };
    },
  };
}
