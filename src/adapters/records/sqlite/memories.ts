import type { DatabaseSync } from "node:sqlite";
import { capturedEvent } from "#adapters/records/shared/events.ts";
import { limitReached } from "#adapters/records/shared/limits.ts";
import {
  bySequence,
  MEMORY_COLUMNS,
  type MemoryRow,
  type SequencedMemory,
  toMemory,
} from "#adapters/records/shared/rows.ts";
import type { Memory } from "#core/memory.ts";
import type { MemoryRecords, RecordLimits } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";
import type { CounterTable } from "./connection/counters.ts";
import type { TotalTable } from "./connection/totals.ts";
import type { LeaseTable } from "./leases.ts";
import { memoryPages } from "./pages/memory-pages.ts";
import type { DecisionTable } from "./tables/decision-table.ts";
import type { EventTable } from "./tables/event-table.ts";
import type { NamespaceTable } from "./tables/namespaces.ts";
import type { PinTable } from "./tables/pins.ts";

/** Writes to the table of memories. They must run inside a transaction. */
export interface MemoryTable {
  add(memory: Memory): void;
  checkRoomFor(namespace: string): void;
  /** Leaves a tombstone of every memory, for indices that still have it. */
  forgetAll(): void;
}

export function memoryTable(
  database: DatabaseSync,
  counters: CounterTable,
  namespaces: NamespaceTable,
  totals: TotalTable,
  limits: RecordLimits,
  events: EventTable,
): MemoryTable {
  const isNew = (namespace: string) => ofNamespace.get(namespace) === undefined;
  const ofNamespace = database.prepare("SELECT 1 FROM memories WHERE namespace = ? LIMIT 1");
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
    add(memory) {
      const { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest } = memory;
      if (isNew(namespace) && totals.add("namespaces", 1) > limits.namespaces) throw limitReached("namespaces", limits);
      const fields = { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest };
      const sequence = counters.advance("memory");
      insert.run({ sequence, ...fields });
      namespaces.captured(memory, sequence);
      events.add(capturedEvent(memory));
    },

    checkRoomFor(namespace) {
      if (totals.value("namespaces") >= limits.namespaces && isNew(namespace)) throw limitReached("namespaces", limits);
    },

    forgetAll() {
      const { changes } = insertTombstones.run({ start: counters.value("memory") });
      counters.advance("memory", Number(changes));
      deleteAll.run();
      totals.clear("namespaces");
      namespaces.allForgotten();
    },
  };
}

export function memoryRecords(
  { database, read, inSnapshot, write }: Connection,
  table: MemoryTable,
  pins: PinTable,
  namespaces: NamespaceTable,
  leases: LeaseTable,
  decisions: DecisionTable,
): MemoryRecords {
  const findAll = database.prepare(
    `SELECT sequence, ${MEMORY_COLUMNS} FROM json_each(?) AS wanted JOIN memories ON sequence = wanted.value`,
  );
  const byId = database.prepare(`SELECT ${MEMORY_COLUMNS} FROM memories WHERE memory_id = ?`);
  const readPage = memoryPages(database);

  return {
    add: (memory, lease, decision) =>
      write(() => {
        table.add(memory);
        if (lease !== undefined) leases.put(lease);
        decisions.add(decision);
      }),
    checkRoomFor: (namespace) => read(() => table.checkRoomFor(namespace)),
    find: (memoryId) =>
      read(() => {
        const row = byId.get(memoryId);
        return row && toMemory(row as unknown as MemoryRow);
      }),
    at: (sequences) => read(() => bySequence(findAll.all(JSON.stringify(sequences)) as unknown as SequencedMemory[])),
    page: (query) => read(() => inSnapshot(() => readPage(query))),
    setPinned: (pin, stamp) =>
      write(() => {
        const outcome = pins.set(pin, stamp);
        if (outcome.kind === "set") decisions.add(stamp.decision);
        return outcome;
      }),
    counts: () => read(() => inSnapshot(namespaces.counts)),
  };
}
