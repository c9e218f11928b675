// Records in PostgreSQL, for several processes at once. All of them use one primary. A write answers when its commit is
// on the server's disk.
import type { PoolClient } from "pg";
import { sharedQuotas } from "#adapters/records/quotas/shared-quotas.ts";
import { auditQueries } from "#adapters/records/shared/audit-queries.ts";
import { olderVersion, type SchemaChange } from "#adapters/records/shared/database/schema-change.ts";
import { throwUnavailable } from "#adapters/records/shared/database/unavailable.ts";
import { DEFAULT_LIMITS, throwIfLimitReached } from "#adapters/records/shared/limits.ts";
import { areNewest, newSkeletons, readSkeletons } from "#adapters/records/shared/memories/names.ts";
import { readCounters } from "#adapters/records/shared/policy/policy-statements.ts";
import { deploymentIn, recordsIn } from "#adapters/records/shared/records.ts";
import { planReset } from "#adapters/records/shared/reset.ts";
import { forTenant } from "#adapters/records/shared/sql/database.ts";
import type { OnCommit } from "#adapters/records/shared/sql/group-commit.ts";
import { rulesOf } from "#core/gate/policy.ts";
import type { DeploymentRecords, RecordAudit, RecordLimits, RecordRows, RecordStore } from "#ports.ts";
import { checkLocks, durabilityWarning, withClient } from "./connection/check-locks.ts";
import { connectTo, type Database, READ_SNAPSHOT } from "./connection/database.ts";
import { throwNotOpened } from "./connection/failures.ts";
import { migrate } from "./connection/migrate.ts";
import { postgresFences } from "./fence/postgres-fence.ts";
import { jobLocks } from "./locks.ts";

/** To forget millions of memories, or to derive as many skeletons, takes longer than any other statement. */
const LONG_TIMEOUT_MS = 300_000;
const QUOTA_CONNECTIONS = 2;
const QUOTA_STATEMENT_MS = 1_000;

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** How many connections ordinary statements may use. The fence, the listener, the locks and audits have their own. */
  readonly max?: number;
  readonly limits?: RecordLimits;
  readonly onCommit?: OnCommit | undefined;
  /** What may change in the schema. Everything, unless this says otherwise. */
  readonly schemaChange?: SchemaChange | undefined;
  /** Told what an operator should know about the server's settings. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

export async function postgresRecords(options: PostgresOptions): Promise<DeploymentRecords> {
  const { url, max = 10, limits = DEFAULT_LIMITS, onCommit, schemaChange, onWarning = () => undefined } = options;
  const database = connectTo(url, max, onCommit);
  try {
    await checkLocks(database);
    await withClient(database, (client) => migrate(client, undefined, schemaChange));
    await updateSkeletons(database, schemaChange);
    const warning = await durabilityWarning(database);
    if (warning !== undefined) onWarning(warning);
  } catch (error) {
    await database.close();
    return throwNotOpened(error);
  }
  return recordsOn(database, limits);
}

async function updateSkeletons(database: Database, schemaChange?: SchemaChange): Promise<void> {
  if (areNewest(await database.rows(readSkeletons))) return;
  if (schemaChange === "none") throw olderVersion("The database", "its names have another normal form");
  await database.readThenWrite(newSkeletons.reads, newSkeletons.decide, { timeoutMs: LONG_TIMEOUT_MS });
}

function recordsOn(shared: Database, limits: RecordLimits): DeploymentRecords {
  const fences = postgresFences(shared);
  const locks = jobLocks(shared);
  const quotas = sharedQuotas({ pool: shared.pool(QUOTA_CONNECTIONS, { statementMs: QUOTA_STATEMENT_MS }) });
  const auditsOf = audits(shared);

  function open(tenant: number): RecordStore {
    const database = forTenant(shared, tenant);
    const fence = fences.of(tenant, database);
    return {
      ...recordsIn(database, { limits, fence }),
      locks,
      quotas,

      async reset(memories, policy, stamp, leases = []) {
        const reset = { memories, rules: rulesOf(policy), stamp, leases };
        const { before, reads, decide } = planReset(reset, limits);
        await fence
          .removal(reads, decide, { before, timeoutMs: LONG_TIMEOUT_MS })
          .catch(throwIfLimitReached(database, limits));
      },

      audit: auditsOf(tenant),
      async ping() {
        database.throwIfFull();
        await database.write(readCounters);
      },
      async close() {
        forget(tenant);
        fences.forget(tenant);
      },
    };
  }

  const { records, forget } = deploymentIn(shared, forTenant, open);
  return { ...records, close: () => shared.close(fences.close) };
}

const ROWS_PER_READ = 1_000;

/** An audit reads in one transaction, on a connection without timeouts: millions of rows take long. */
function audits(database: Database): (tenant: number) => RecordStore["audit"] {
  const pool = database.pool(1, { statementMs: 0, idleMs: 0 });

  async function onSnapshot<T>(tenant: number, check: (audit: RecordAudit) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      await client.query(READ_SNAPSHOT);
      return await check(auditOf(client, tenant));
    } finally {
      // The transaction ends with its connection.
      client.release(true);
    }
  }

  return (tenant) => (check) => onSnapshot(tenant, check).catch(throwUnavailable);
}

function auditOf(client: PoolClient, tenant: number): RecordAudit {
  const queries = auditQueries("postgres", tenant);
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
