import type { DatabaseSync } from "node:sqlite";
import { limitReached } from "#adapters/records/shared/limits.ts";
import { capturedEvent } from "#adapters/records/shared/logs/events.ts";
import { namesOfFact } from "#adapters/records/shared/memories/names.ts";
import { MEMORY_COLUMNS, type MemoryRow, toMemory } from "#adapters/records/shared/rows.ts";
import type { Memory } from "#core/memory.ts";
import type { MemoryRecords, RecordLimits } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";
import type { CounterTable } from "./connection/counters.ts";
import type { TotalTable } from "./connection/totals.ts";
import type { LeaseTable } from "./leases.ts";
import { memoryPages } from "./pages/memory-pages.ts";
import type { DecisionTable } from "./tables/decision-table.ts";
import type { EventTable } from "./tables/event-table.ts";
import type { NameTable } from "./tables/names.ts";
import type { NamespaceTable } from "./tables/namespaces.ts";
import type { PinTable } from "./tables/pins.ts";

/** Writes to the table of memories. They must run inside a transaction. */
export interface MemoryTable {
  /** Records the memory, whatever facts and names are on record. */
  add(memory: Memory): void;
  /** The memory on record of this fact. */
  findFact(contentDigest: string): Memory | undefined;
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
  // Of a fact that an earlier version recorded several times, the first memory counts.
  const ofFact = database.prepare(
    `SELECT ${MEMORY_COLUMNS} FROM memories WHERE content_digest = ? ORDER BY sequence LIMIT 1`,
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

    findFact(contentDigest) {
      const row = ofFact.get(contentDigest);
      return row && toMemory(row as unknown as MemoryRow);
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
  names: NameTable,
  leases: LeaseTable,
  decisions: DecisionTable,
): MemoryRecords {
  const findAll = database.prepare(
    `SELECT sequence, ${MEMORY_COLUMNS} FROM json_each(?) AS wanted JOIN memories ON sequence = wanted.value`,
  );
  // Every chat reads a dozen memories. As arrays they take a third less time than as objects with named columns.
  findAll.setReturnArrays(true);
  const byId = database.prepare(`SELECT ${MEMORY_COLUMNS} FROM memories WHERE memory_id = ?`);
  const readPage = memoryPages(database);

  return {
    add: (memory, lease, decision) =>
      write(() => {
        const known = table.findFact(memory.contentDigest);
        if (known === undefined) {
          names.use(namesOfFact(memory));
          table.add(memory);
        }
        // A repeat renews the lease, unless its blob is in another store than that of the memory on record.
        const isOfMemory = known === undefined || known.storeRef === lease?.blobId;
        if (lease !== undefined && isOfMemory) leases.put(lease);
        // The fact was on record, so the memory that the caller proposed is none.
        decisions.add(known === undefined ? decision : decision && { ...decision, memoryId: undefined });
        return known ?? memory;
      }),
    checkNames: (given) =>
      read(() => {
        table.checkRoomFor(given.namespace);
        names.check(namesOfFact(given));
      }),
    find: (memoryId) =>
      read(() => {
        const row = byId.get(memoryId);
        return row && toMemory(row as unknown as MemoryRow);
      }),
    at: (sequences) =>
      read(() => new Map((findAll.all(JSON.stringify(sequences)) as unknown as MemoryArray[]).map(toEntry))),
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

/** A sequence and the columns of a memory, in the order of MEMORY_COLUMNS. */
type MemoryArray = [number, string, string, string, string, string, string, string, number];

function toEntry(row: MemoryArray): [number, Memory] {
  const [sequence, memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest, pinned] = row;
  const memory = { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest };
  return [sequence, pinned === 1 ? { ...memory, pinned: true } : memory];
}
