// Records in one SQLite file, for one process. A write answers when its commit is on disk.
import { memoryQuotas } from "#adapters/records/quotas/memory-quotas.ts";
import { DEFAULT_LIMITS } from "#adapters/records/shared/limits.ts";
import { createMutex } from "#async/mutex.ts";
import { rulesOf } from "#core/gate/policy.ts";
import type { RecordStore } from "#ports.ts";
import { anchorRecords } from "./anchors.ts";
import { audits } from "./audit.ts";
import { blobTexts } from "./blob-texts.ts";
import { chainAnchorRecords } from "./chain-anchors.ts";
import { changeFeed } from "./change-feed.ts";
import { counterTable } from "./connection/counters.ts";
import { openConnection, type SqliteOptions } from "./connection/open-connection.ts";
import { gateRecords } from "./gates.ts";
import { idempotencyRecords } from "./identity/idempotency.ts";
import { keyRecords } from "./identity/keys.ts";
import { sessionRecords } from "./identity/sessions.ts";
import { signingKeyRecords } from "./identity/signing-keys.ts";
import { leaseRecords } from "./leases.ts";
import { ledgerLog } from "./ledger-log.ts";
import { decisionRecords } from "./logs/decisions.ts";
import { eventRecords } from "./logs/events.ts";
import { reportRecords } from "./logs/reports.ts";
import { retentionRecords } from "./logs/retention.ts";
import { memoryRecords } from "./memories/memories.ts";
import { namespaceRecords } from "./memories/namespaces.ts";
import { sealRecords } from "./memories/seals.ts";
import { policyRecords } from "./policy.ts";
import { receiptRecords } from "./receipts.ts";
import { snapshotRegister } from "./snapshot-register.ts";
import { resetInWorker } from "./tables/reset-worker.ts";
import { applyReset, tablesOf } from "./tables/tables.ts";
import { transferRecords } from "./transfer/transfer.ts";
import { writeOnceValues } from "./write-once.ts";

/** So many are forgotten in a few milliseconds. With more of them, a worker resets the database. */
const FEW_MEMORIES = 1_000;

export function sqliteRecords(options: SqliteOptions): RecordStore {
  const { path, serves = false, limits = DEFAULT_LIMITS, now = () => new Date() } = options;
  const { database, connection, close } = openConnection(options);
  // Programs beside the service advance no counter (process-lock.ts).
  const counters = counterTable(database, { isOnlyWriter: serves || path === ":memory:" });
  const tables = tablesOf(database, limits, counters);
  const { namespaces } = tables;
  const policy = policyRecords(connection, tables, now);

  return {
    memories: memoryRecords(connection, tables, { exclusively: policy.exclusively, now }),
    namespaces: namespaceRecords(connection, tables),
    changeFeed: changeFeed(connection, counters, namespaces, tables.policy),
    policy: policy.records,
    receipts: receiptRecords(connection, tables),
    decisions: decisionRecords(connection, tables.decisions),
    events: eventRecords(connection),
    retention: retentionRecords(connection),
    reports: reportRecords(connection),
    anchors: anchorRecords(connection, tables),
    chainAnchors: chainAnchorRecords(connection, tables.events),
    gates: gateRecords(connection),
    ledgerLog: ledgerLog(connection),
    leases: leaseRecords(connection, tables.leases),
    blobTexts: blobTexts(connection),
    writeOnce: writeOnceValues(connection),
    snapshots: snapshotRegister(connection),
    idempotency: idempotencyRecords(connection),
    locks: { exclusively: createMutex() },
    keys: keyRecords(connection),
    sessions: sessionRecords(connection),
    signingKeys: signingKeyRecords(connection),
    seals: sealRecords(connection, tables, { exclusively: policy.exclusively, now }),
    // One process serves the file, so it counts alone.
    quotas: memoryQuotas(),
    transfer: transferRecords(connection, tables, policy.exclusively),

    async reset(memories, leaves, stamp, leases = []) {
      const reset = { memories, rules: rulesOf(leaves), stamp, leases };
      const had = await connection.read(namespaces.total);
      if (path === ":memory:" || had <= FEW_MEMORIES)
        return (
          policy
            .exclusively(() => connection.write(() => applyReset(tables, reset)))
            // A first start forgets nothing.
            .finally(() => had > 0 && connection.truncateLog())
        );
      const apply = () => resetInWorker({ path, reset, limits });
      return policy.exclusively(() => connection.alone(() => counters.whileOthersWrite(apply)));
    },

    audit: audits(path, connection),
    async ping() {
      connection.checkStorage();
      await connection.read(counters.all);
    },
    close: async () => close(),
  };
}
