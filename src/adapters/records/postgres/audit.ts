import type { Pool, PoolClient } from "pg";
import { auditQueries } from "#adapters/records/shared/audit-queries.ts";
import type { RecordAudit, RecordRows } from "#ports.ts";
import { ONE_MOMENT } from "./connection/database.ts";

const QUERIES = auditQueries({
  namespaces: "to_json(answers.namespaces)::text",
  claimsDigest: "claims_digest",
});
const ROWS_A_READ = 1_000;

/** Reads in one transaction, on a connection of `pool`, which has all the patience that this may take. */
export async function audited<T>(pool: Pool, look: (audit: RecordAudit) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(ONE_MOMENT);
    return await look(auditOf(client));
  } finally {
    // The transaction ends with its connection.
    client.release(true);
  }
}

function auditOf(client: PoolClient): RecordAudit {
  let cursors = 0;
  return {
    async *rows<Kind extends keyof RecordRows>(kind: Kind) {
      const cursor = `audit_${++cursors}`;
      await client.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${QUERIES[kind]}`);
      for (let isMore = true; isMore; ) {
        const { rows } = await client.query<RecordRows[Kind]>(`FETCH ${ROWS_A_READ} FROM ${cursor}`);
        yield* rows;
        isMore = rows.length === ROWS_A_READ;
      }
      await client.query(`CLOSE ${cursor}`);
    },

    // PostgreSQL checks its files itself when it reads them, if it was told to, and keeps references while it writes.
    complaints: async () => [],
  };
}
