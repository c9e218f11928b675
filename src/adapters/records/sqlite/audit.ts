import { DatabaseSync } from "node:sqlite";
import { auditQueries } from "#adapters/records/shared/audit-queries.ts";
import { throwUnavailable } from "#adapters/records/shared/database/unavailable.ts";
import { SQLITE } from "#adapters/records/shared/schema/dialect.ts";
import type { RecordAudit, RecordRows, RecordStore } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";
import { addRowDigest } from "./connection/open.ts";

/** An audit reads in one transaction, on a connection of its own: it neither sees later writes nor blocks them. */
export function audits(path: string, connection: Connection, tenant: number): RecordStore["audit"] {
  async function onSnapshot<T>(check: (audit: RecordAudit) => Promise<T>): Promise<T> {
    // A database in memory has only one connection.
    if (path === ":memory:") return check(auditOf(connection.database, tenant));
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      addRowDigest(database);
      database.exec("BEGIN");
      return await check(auditOf(database, tenant));
    } finally {
      database.close();
    }
  }

  return (check) => onSnapshot(check).catch(throwUnavailable);
}

function auditOf(database: DatabaseSync, tenant: number): RecordAudit {
  const queries = auditQueries({ namespaces: "namespaces", rowDigest: SQLITE.digest }, tenant);
  return {
    async *rows<Kind extends keyof RecordRows>(kind: Kind) {
      for (const row of database.prepare(queries[kind]).iterate()) yield row as unknown as RecordRows[Kind];
    },

    async complaints() {
      const integrity = database.prepare("PRAGMA integrity_check").all() as { integrity_check: string }[];
      const dangling = database.prepare("PRAGMA foreign_key_check").all() as unknown as DanglingReference[];
      return [
        ...integrity.map((row) => row.integrity_check).filter((text) => text !== "ok"),
        ...dangling.map(
          ({ table, rowid, parent }) =>
            `${rowid === null ? "a row" : `row ${rowid}`} of ${table} refers to a row of ${parent} that is not there`,
        ),
      ];
    },
  };
}

/** A table that is kept in the order of its key has no row ids. */
type DanglingReference = { readonly table: string; readonly rowid: number | null; readonly parent: string };
