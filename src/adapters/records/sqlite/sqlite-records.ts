// Records in one SQLite file, for one process. A write answers when its commit is on disk.

import { putLeases } from "#adapters/records/shared/tables/leases.ts";
import { sharedTables } from "#adapters/records/shared/tables/shared-tables.ts";
import { createMutex } from "#async/mutex.ts";
import type { RecordStore } from "#ports.ts";
import { audits } from "./audit.ts";
import { changeFeed } from "./change-feed.ts";
import { createConnection } from "./connection/connection.ts";
import { counterTable } from "./connection/counters.ts";
import { openDatabase } from "./connection/open.ts";
import { lockForServing } from "./connection/process-lock.ts";
import { memoryRecords, memoryTable } from "./memories.ts";
import { policyRecords } from "./policy.ts";
import { policyTable } from "./policy-table.ts";
import { receiptRecords } from "./receipts.ts";

export interface SqliteOptions {
  /** A file, which is created if it is missing, or `:memory:`. */
  readonly path: string;
  /** Whether this process serves the file. Only one process may. */
  readonly serves?: boolean;
}

export function sqliteRecords({ path, serves = false }: SqliteOptions): RecordStore {
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
  const tables = { memories: memoryTable(database, counters), policy: policyTable(database, counters) };
  const policy = policyRecords(connection, counters, tables.policy);

  return {
    memories: memoryRecords(connection, tables.memories),
    changeFeed: changeFeed(connection, counters, tables.policy),
    policy: policy.records,
    receipts: receiptRecords(connection),
    ...sharedTables(connection, { claimsKey: "claimed", isOpen: "is_open = 1", place: "rowid" }),
    locks: { exclusively: createMutex() },

    reset: (memories, leaves, stamp, leases = []) =>
      policy.change(() => {
        tables.memories.forgetAll();
        for (const memory of memories) tables.memories.add(memory);
        tables.policy.replace(leaves, stamp);
        connection.run(putLeases(leases));
      }),

    audit: audits(path, connection),
    ping: () => connection.read(() => void counters.both()),
    async close() {
      connection.close();
      lock?.release();
    },
  };
}
