// Records in one SQLite file, for one process. A write answers when its commit is on disk.
import { memoryQuotas } from "#adapters/records/quotas/memory-quotas.ts";
import { ledgerWork } from "#adapters/records/shared/anchoring/chain-anchors.ts";
import { keyRecords } from "#adapters/records/shared/identity/keys.ts";
import { DEFAULT_LIMITS, throwIfLimitReached } from "#adapters/records/shared/limits.ts";
import { plannedCaptures } from "#adapters/records/shared/memories/captures.ts";
import { readCounters } from "#adapters/records/shared/policy/policy-statements.ts";
import { recordsIn } from "#adapters/records/shared/records.ts";
import { DEPLOYMENT } from "#adapters/records/shared/schema/tenant-tables.ts";
import { tenantDeletions } from "#adapters/records/shared/tenant-deletions.ts";
import { tenantStores } from "#adapters/records/shared/tenant-stores.ts";
import { tenantTemplateRecords } from "#adapters/records/shared/tenant-templates.ts";
import { dueWork, tenantRecords } from "#adapters/records/shared/tenants.ts";
import { createMutex } from "#async/semaphore.ts";
import { rulesOf } from "#core/gate/policy.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import type { DeploymentRecords, RecordStore } from "#ports.ts";
import { audits } from "./audit.ts";
import { counterMirror } from "./connection/counters.ts";
import { openConnection, type SqliteOptions } from "./connection/open-connection.ts";
import { sqliteDatabase, sqliteForTenant, statementRunner } from "./connection/sqlite-database.ts";
import { fenceLocks, sqliteFence } from "./fence.ts";
import { memoriesAt } from "./memories-at.ts";
import { applyReset, resetInWorker } from "./reset-worker.ts";

/** So many are forgotten in a few milliseconds. With more of them, a worker resets the database. */
const FEW_MEMORIES = 1_000;
const COUNT_MEMORIES =
  "SELECT CAST(coalesce(sum(memories), 0) AS integer) AS count FROM namespaces WHERE tenant = $tenant";

export function sqliteRecords(options: SqliteOptions): DeploymentRecords {
  const { path, limits = DEFAULT_LIMITS, now = () => new Date() } = options;
  const { database: file, connection, close } = openConnection(options);
  const runner = statementRunner(file, now);
  const counters = counterMirror(file, connection.lastCommit, runner);
  const shared = sqliteDatabase(connection, runner);
  const at = memoriesAt(connection, now);
  const locks = { exclusively: createMutex() };
  // One process serves the file, so it counts alone.
  const quotas = memoryQuotas();

  const lockOf = fenceLocks();
  const { forget, ...stores } = tenantStores(open);

  function open(tenant: number): RecordStore {
    const database = sqliteForTenant(shared, tenant);
    const mirrored = () => counters(tenant);
    const fence = sqliteFence(lockOf(tenant), database, connection, mirrored, now);
    return {
      ...recordsIn(database, {
        limits,
        fence,
        captures: plannedCaptures,
        at: at(tenant),
        counters: () => connection.readNow(mirrored),
        onForgotten: connection.truncateLog,
      }),
      locks,
      quotas,

      async reset(memories, policy, stamp, leases = []) {
        const reset = { memories, rules: rulesOf(policy), stamp, leases };
        const had = (await database.row<{ count: number }>({ text: COUNT_MEMORIES, values: [] }))?.count ?? 0;
        if (path === ":memory:" || had <= FEW_MEMORIES)
          return (
            fence
              .exclusively(() => connection.write(() => applyReset(database, reset, limits)))
              // A first start forgets nothing.
              .finally(() => had > 0 && connection.truncateLog())
              .catch(throwIfLimitReached(database, limits))
          );
        const apply = () => resetInWorker({ path, tenant, reset, limits });
        return fence
          .exclusively(() => connection.alone(apply))
          .finally(connection.truncateLog)
          .catch(throwIfLimitReached(database, limits));
      },

      audit: audits(path, connection, tenant),
      async ping() {
        connection.checkStorage();
        await database.rows(readCounters);
      },
      async close() {
        forget(tenant);
      },
    };
  }

  async function closeAll(): Promise<void> {
    await shared.idle();
    close();
  }

  return {
    ...stores.recordsOf(DEFAULT_TENANT),
    tenants: tenantRecords(shared),
    tenantTemplates: tenantTemplateRecords(shared),
    tenantDeletions: tenantDeletions(shared, { onForgotten: connection.truncateLog }),
    dueWork: dueWork(shared),
    deploymentKeys: keyRecords(sqliteForTenant(shared, DEPLOYMENT)),
    ledgerWork: ledgerWork(shared),
    ...stores,
    close: closeAll,
  };
}
