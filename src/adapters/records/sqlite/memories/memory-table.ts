import type { DatabaseSync } from "node:sqlite";
import { limitReached } from "#adapters/records/shared/limits.ts";
import { capturedEvent } from "#adapters/records/shared/logs/events.ts";
import {
  factHashOf,
  MEMORY_COLUMNS,
  type MemoryRow,
  optionalColumns,
  toMemory,
} from "#adapters/records/shared/rows.ts";
import type { CounterTable } from "#adapters/records/sqlite/connection/counters.ts";
import type { TotalTable } from "#adapters/records/sqlite/connection/totals.ts";
import type { EventTable } from "#adapters/records/sqlite/tables/event-table.ts";
import type { NamespaceTable } from "#adapters/records/sqlite/tables/namespaces.ts";
import type { MemoryOnRecord, NamedFact, RecordLimits } from "#ports.ts";

/** Of a current memory that has not expired at `:now`. */
export const IS_CURRENT = "(expires_at IS NULL OR expires_at > :now)";

/** The table of current memories. Writes must run inside a transaction. */
export function memoryTable(
  database: DatabaseSync,
  counters: CounterTable,
  namespaces: NamespaceTable,
  totals: TotalTable,
  limits: RecordLimits,
  events: EventTable,
) {
  const isNew = (namespace: string) => ofNamespace.get(namespace) === undefined;
  const ofNamespace = database.prepare("SELECT 1 FROM memories WHERE namespace = ? LIMIT 1");
  const insert = database.prepare(
    `INSERT INTO memories (sequence, memory_id, store_ref, namespace, content, source_agent, created_at, content_digest,
       fact_key, expires_at, supersedes, seal_key_id, wrapped_key, fact_hash)
     VALUES (:sequence, :memoryId, :storeRef, :namespace, :content, :sourceAgent, :createdAt, :contentDigest,
       :key, :expiresAt, :supersedes, :sealKeyId, :wrappedKey, :factHash)`,
  );
  // Of a fact that an earlier version recorded several times, the first memory counts.
  const ofFact = database.prepare(
    `SELECT ${MEMORY_COLUMNS} FROM memories WHERE fact_hash = :hash AND fact_key IS :key AND ${IS_CURRENT}
     ORDER BY sequence LIMIT 1`,
  );
  const ofId = database.prepare(`SELECT ${MEMORY_COLUMNS} FROM memories WHERE memory_id = :memoryId AND ${IS_CURRENT}`);
  const ofKey = database.prepare(
    `SELECT ${MEMORY_COLUMNS} FROM memories
     WHERE namespace = :namespace AND source_agent = :sourceAgent AND fact_key = :key`,
  );
  const countOf = database.prepare(
    `SELECT count(*) AS n FROM memories WHERE memory_id IN (SELECT value FROM json_each(:ids)) AND ${IS_CURRENT}`,
  );
  const countSuperseded = database.prepare(
    `SELECT count(*) AS n FROM superseded_memories
     WHERE memory_id IN (SELECT value FROM json_each(:ids)) AND ${IS_CURRENT}`,
  );
  const setExpiry = database.prepare("UPDATE memories SET expires_at = :expiresAt WHERE memory_id = :memoryId");
  const setSupersedes = database.prepare(
    "UPDATE memories SET supersedes = :supersedes WHERE memory_id = :memoryId AND supersedes IS NULL",
  );
  const found = (row: unknown) => (row === undefined ? undefined : toMemory(row as MemoryRow));

  return {
    /** Records the memory, whatever facts and names are on record. Listeners hear of it as of `at`. */
    add(memory: MemoryOnRecord, at = memory.createdAt): void {
      const { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest } = memory;
      if (isNew(namespace) && totals.add("namespaces", 1) > limits.namespaces) throw limitReached("namespaces", limits);
      const fields = { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest };
      const sequence = counters.advance("memory");
      insert.run({ sequence, ...fields, ...optionalColumns(memory) });
      namespaces.captured(memory, sequence);
      events.add(capturedEvent({ ...memory, createdAt: at }));
    },
    /** The memory on record of this fact, under the same key. */
    findFact: (memory: MemoryOnRecord, now: string) =>
      found(ofFact.get({ hash: factHashOf(memory), key: memory.key ?? null, now })),
    findCurrent: (memoryId: string, now: string) => found(ofId.get({ memoryId, now })),
    /** Also one that has expired. */
    findByKey: ({ namespace, sourceAgent, key }: NamedFact) => found(ofKey.get({ namespace, sourceAgent, key })),
    /** Whether all of these, which are different ones, are on record and have not expired. */
    areAll(memoryIds: readonly string[], now: string, allowsSuperseded = false): boolean {
      const values = { ids: JSON.stringify(memoryIds), now };
      const found = Number(countOf.get(values)?.n);
      return (allowsSuperseded ? found + Number(countSuperseded.get(values)?.n) : found) === memoryIds.length;
    },
    /** A read set may have been read with a later time, so it is looked at again. */
    setExpiry(memoryId: string, expiresAt: string): void {
      counters.advance("removal");
      setExpiry.run({ memoryId, expiresAt });
    },
    setSupersedes: (memoryId: string, supersedes: string) => void setSupersedes.run({ memoryId, supersedes }),
    checkRoomFor(namespace: string): void {
      if (totals.value("namespaces") >= limits.namespaces && isNew(namespace)) throw limitReached("namespaces", limits);
    },
  };
}
