import { DatabaseSync } from "node:sqlite";
import { auditQueries } from "#adapters/records/shared/audit-queries.ts";
import type { RecordAudit, RecordRows } from "#ports.ts";

const QUERIES = auditQueries({ namespaces: "answers.namespaces", claimsDigest: "NULL" });

/** Reads on a connection of its own, in one transaction: writers go on meanwhile, and are not seen. */
export async function audited<T>(
  path: string,
  ours: DatabaseSync,
  look: (audit: RecordAudit) => Promise<T>,
): Promise<T> {
  // A database in memory is its connection's alone.
  if (path === ":memory:") return look(auditOf(ours));
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    database.exec("BEGIN");
    return await look(auditOf(database));
  } finally {
    database.close();
  }
}

function auditOf(database: DatabaseSync): RecordAudit {
  return {
    async *rows<Kind extends keyof RecordRows>(kind: Kind) {
      for (const row of database.prepare(QUERIES[kind]).iterate()) yield row as unknown as RecordRows[Kind];
    },

    async complaints() {
      const found = database.prepare("PRAGMA integrity_check").all() as { integrity_check: string }[];
      const lost = database.prepare("PRAGMA foreign_key_check").all() as unknown as LostReference[];
      return [
        ...found.map((row) => row.integrity_check).filter((text) => text !== "ok"),
        ...lost.map(
          ({ table, rowid, parent }) => `row ${rowid} of ${table} refers to a row of ${parent} that is not there`,
        ),
      ];
    },
  };
}

interface LostReference {
  readonly table: string;
  readonly rowid: number;
  readonly parent: string;
}
