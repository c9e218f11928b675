import type { Pool, PoolClient } from "pg";
import { auditQueries } from "#adapters/records/shared/audit-queries.ts";
import { throwUnavailable } from "#adapters/records/shared/database/unavailable.ts";
import { POSTGRES } from "#adapters/records/shared/schema/dialect.ts";
import type { RecordAudit, RecordRows, RecordStore } from "#ports.ts";
import { type Database, READ_SNAPSHOT } from "./connection/database.ts";

const ROWS_PER_READ = 1_000;

/** An audit reads in one transaction, on a connection without timeouts: millions of rows take long. */
export function audits(database: Database): (tenant: number) => RecordStore["audit"] {
  const pool = database.pool(1, { statementMs: 0, idleMs: 0 });
  return (tenant) => auditsOf(pool, tenant);
}

function auditsOf(pool: Pool, tenant: number): RecordStore["audit"] {
  async function onSnapshot<T>(check: (audit: RecordAudit) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      await client.query(READ_SNAPSHOT);
      return await check(auditOf(client, tenant));
    } finally {
      // The transaction ends with its connection.
      client.release(true);
    }
  }

  return (check) => onSnapshot(check).catch(throwUnavailable);
}

function auditOf(client: PoolClient, tenant: number): RecordAudit {
  const queries = auditQueries({ namespaces: "to_json(namespaces)::text", rowDigest: POSTGRES.digest }, tenant);
  let cursors = 0;
  return {
    async *rows<Kind extends keyof RecordRows>(kind: Kind) {
      const cursor = `audit_${++cursors}`;
      await client.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${queries[kind]}`);
      for (let isMore = true; isMore; ) {
        const { rows } = await client.query<RecordRows[Kind]>(`FETCH ${ROWS_PER_READ} FROM ${cursor}`);
        yield* rows;
        isMore = rows.length === ROWS_PER_READ;
      }
      await client.query(`CLOSE ${cursor}`);
    },

    // PostgreSQL checks the checksums of its files on every read, if they are enabled, and foreign keys on every write.
    complaints: async () => [],
  };
}
