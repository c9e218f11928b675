// Records in one SQLite file, for one process. A write answers when its commit is on disk.
import { DEFAULT_LIMITS } from "#adapters/records/shared/limits.ts";
import { pinsOf } from "#adapters/records/shared/rows.ts";
import { createMutex } from "#async/mutex.ts";
import type { RecordLimits, RecordStore } from "#ports.ts";
import { anchorRecords } from "./anchors.ts";
import { audits } from "./audit.ts";
import { blobTexts } from "./blob-texts.ts";
import { chainAnchorRecords } from "./chain-anchors.ts";
import { changeFeed } from "./change-feed.ts";
import { createConnection } from "./connection/connection.ts";
import { counterTable } from "./connection/counters.ts";
import { openDatabase } from "./connection/open.ts";
import { lockForServing } from "./connection/process-lock.ts";
import { totalTable } from "./connection/totals.ts";
import { leaseRecords, leaseTable } from "./leases.ts";
import { ledgerLog } from "./ledger-log.ts";
import { memoryRecords, memoryTable } from "./memories.ts";
import { pinTable } from "./pins.ts";
import { policyRecords } from "./policy.ts";
import { policyTable } from "./policy-table.ts";
import { receiptRecords } from "./receipts.ts";
import { snapshotRegister } from "./snapshot-register.ts";
import { writeOnceValues } from "./write-once.ts";

export interface SqliteOptions {
  /** A file, which is created if it is missing, or `:memory:`. */
  readonly path: string;
  /** Whether this process serves the file. Only one process may. */
  readonly serves?: boolean;
  readonly limits?: RecordLimits;
}

export function sqliteRecords({ path, serves = false, limits = DEFAULT_LIMITS }: SqliteOptions): RecordStore {
  const database = openDatabase(path);
  let lock: { release(): void } | undefined;
  try {
    lock = serves ? lockForServing(path) : undefined;
  } catch (error) {
    database.close();
    throw error;
  }
  const connection = createConnection(database);
  const counters = counterTable(database);
  const totals = totalTable(database);
  const tables = {
    memories: memoryTable(database, counters, totals, limits),
    pins: pinTable(database, counters),
    policy: policyTable(database, counters, totals, limits),
    leases: leaseTable(database),
  };
  const policy = policyRecords(connection, counters, tables.policy);

  return {
    memories: memoryRecords(connection, tables.memories, tables.pins, tables.leases),
    changeFeed: changeFeed(connection, counters, tables.policy),
    policy: policy.records,
    receipts: receiptRecords(connection),
    anchors: anchorRecords(connection, tables.leases),
    chainAnchors: chainAnchorRecords(connection),
    ledgerLog: ledgerLog(connection),
    leases: leaseRecords(connection, tables.leases),
    blobTexts: blobTexts(connection),
    writeOnce: writeOnceValues(connection),
    snapshots: snapshotRegister(connection),
    locks: { exclusively: createMutex() },

    reset: (memories, leaves, stamp, leases = []) =>
      policy.change(() => {
        tables.memories.forgetAll();
        for (const memory of memories) tables.memories.add(memory);
        for (const pin of pinsOf(memories)) tables.pins.set(pin, stamp);
        tables.policy.replace(leaves, stamp);
        for (const lease of leases) tables.leases.put(lease);
      }),

    audit: audits(path, connection),
    ping: () => connection.read(() => void counters.both()),
    async close() {
      connection.close();
      lock?.release();
    },
  };
}
