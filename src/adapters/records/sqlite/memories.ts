import type { DatabaseSync } from "node:sqlite";
import { readMemoryPage } from "#adapters/records/shared/memory-pages.ts";
import { countMemories, findMemory, MEMORY_COLUMNS } from "#adapters/records/shared/memory-queries.ts";
import { putLeases } from "#adapters/records/shared/tables/leases.ts";
import type { Memory } from "#core/memory.ts";
import type { MemoryRecords } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";
import type { CounterTable } from "./connection/counters.ts";
import { memoryReads } from "./memory-reads.ts";

type MemoryTable = ReturnType<typeof memoryTable>;

/** Writes to the table of memories. They must run inside a transaction. */
export function memoryTable(database: DatabaseSync, counters: CounterTable) {
  const insert = database.prepare(
    `INSERT INTO memories (sequence, memory_id, store_ref, namespace, content, source_agent, created_at, content_digest)
     VALUES (:sequence, :memoryId, :storeRef, :namespace, :content, :sourceAgent, :createdAt, :contentDigest)`,
  );
  const insertTombstones = database.prepare(
    `INSERT INTO forgotten (sequence, captured, namespace)
     SELECT :start + row_number() OVER (ORDER BY sequence), sequence, namespace FROM memories`,
  );
  const deleteAll = database.prepare("DELETE FROM memories");

  return {
    add({ memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest }: Memory): void {
      const fields = { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest };
      insert.run({ sequence: counters.advance("memory"), ...fields });
    },

    /** Leaves a tombstone of every memory, for indices that still have it. */
    forgetAll(): void {
      const { changes } = insertTombstones.run({ start: counters.value("memory") });
      counters.advance("memory", Number(changes));
      deleteAll.run();
    },
  };
}

export function memoryRecords(connection: Connection, table: MemoryTable): MemoryRecords {
  const { database, read, transaction, run } = connection;
  const reads = memoryReads(connection);
  const bySequence = database.prepare(
    `SELECT ${MEMORY_COLUMNS} FROM json_each(?) AS wanted JOIN memories ON sequence = wanted.value ORDER BY wanted.key`,
  );

  return {
    add: (memory, lease) =>
      transaction(() => {
        table.add(memory);
        run(putLeases([lease]));
      }),
    find: (memoryId) => findMemory(connection, memoryId),
    at: (sequences) => read(() => bySequence.all(JSON.stringify(sequences)) as unknown as Memory[]),
    page: (query) => readMemoryPage(connection, reads, query),
    counts: () => countMemories(connection),
  };
}
