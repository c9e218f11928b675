// Memories and tombstones of another database. Each takes sequence numbers as if it had been captured, and removed, here.
import { lockMemoryCounter } from "#adapters/records/postgres/connection/counters.ts";
import type { Database, Statement } from "#adapters/records/postgres/connection/database.ts";
import { addEvents } from "#adapters/records/postgres/logs/events.ts";
import { addMemories, throwIfLimitReached } from "#adapters/records/postgres/memories/memory-table.ts";
import { setPinned } from "#adapters/records/postgres/memories/pins.ts";
import { takeNames, takingNames } from "#adapters/records/postgres/names.ts";
import { putLeasesOfMemories } from "#adapters/records/postgres/tables/leases.ts";
import { capturedEvent } from "#adapters/records/shared/logs/events.ts";
import { namesOfFact } from "#adapters/records/shared/memories/names.ts";
import { optionalColumns, pinsOf } from "#adapters/records/shared/rows.ts";
import { newestById } from "#adapters/records/shared/transfer.ts";
import type { ExportedTombstone, MemoryOnRecord, RecordLimits, RestoredMemory, Stamp } from "#ports.ts";

const KNOWN = `
  SELECT memory_id AS "memoryId" FROM memories WHERE memory_id = ANY ($1)
  UNION ALL
  SELECT memory_id FROM superseded_memories WHERE memory_id = ANY ($1)
  UNION ALL
  SELECT memory_id FROM forgotten WHERE memory_id = ANY ($1)`;

const readKnown = (memoryIds: readonly string[]): Statement => ({ text: KNOWN, values: [memoryIds] });
const idsOf = (rows: readonly unknown[] = []) => new Set((rows as { memoryId: string }[]).map((row) => row.memoryId));

/** Which of these are on record, forgotten ones included. */
export const knownMemories = async (database: Database, memoryIds: readonly string[]): Promise<ReadonlySet<string>> =>
  idsOf(await database.rows(readKnown(memoryIds)));

const KEYS = `
  SELECT namespace, source_agent AS "sourceAgent", fact_key AS key FROM memories
  JOIN unnest($1::text[], $2::text[], $3::text[]) AS named (space, agent, name)
    ON namespace = space AND source_agent = agent AND fact_key = name`;

function readKeys(memories: readonly MemoryOnRecord[]): Statement {
  const keyed = memories.filter(({ key }) => key !== undefined);
  const columns = [
    keyed.map((each) => each.namespace),
    keyed.map((each) => each.sourceAgent),
    keyed.map(({ key }) => key),
  ];
  return { text: KEYS, values: columns };
}

const nameOf = ({ namespace, sourceAgent, key }: Pick<MemoryOnRecord, "namespace" | "sourceAgent" | "key">): string =>
  JSON.stringify([namespace, sourceAgent, key]);

// Two numbers each: that of the capture, and that of the removal. Must come after `lockMemoryCounter`.
const REMOVED = `
  WITH given AS (
    SELECT * FROM ROWS FROM (json_to_recordset($1::json) AS ("memoryId" text, "storeRef" text, namespace text, content text,
      "sourceAgent" text, "createdAt" text, "contentDigest" text, key text, "expiresAt" text, supersedes text,
      "sealKeyId" text, "wrappedKey" text, "factHash" text, "supersededBy" text, cause text, reason text, "by" text,
      "at" text))
      WITH ORDINALITY AS given (id, ref, namespace, content, source, created, digest, key, expires, supersedes, seal, wrapped,
        hash, replacement, cause, reason, removed_by, removed_at, place)
  ),
  taken AS (
    UPDATE counters SET value = value + 2 * (SELECT count(*) FROM given) WHERE name = 'memory'
    RETURNING value - 2 * (SELECT count(*) FROM given) AS start
  ),
  numbered AS (SELECT given.*, start + 2 * place - 1 AS captured, start + 2 * place AS number FROM taken, given),
  history AS (
    INSERT INTO superseded_memories (sequence, memory_id, store_ref, namespace, content, source_agent, created_at,
      content_digest, fact_key, expires_at, supersedes, seal_key_id, wrapped_key, fact_hash, superseded_by, superseded_at)
    SELECT captured, id, ref, namespace, content, source, created, digest, key, expires, supersedes, seal, wrapped, hash,
      replacement, removed_at
    FROM numbered WHERE cause = 'superseded'
  ),
  moved AS (
    INSERT INTO namespaces AS known (name, memories, head) SELECT namespace, 0, max(number) FROM numbered GROUP BY namespace
    ON CONFLICT (name) DO UPDATE SET head = excluded.head
  )
  INSERT INTO forgotten (sequence, captured, namespace, memory_id, source_agent, cause, reason, removed_by, removed_at)
  SELECT number, captured, namespace, id, source, cause, reason, removed_by, removed_at FROM numbered`;

const restoreRemoved = (rows: readonly object[]): Statement[] =>
  rows.length === 0 ? [] : [{ text: REMOVED, values: [JSON.stringify(rows)] }];

function historyRow({ memory, superseding }: RestoredMemory, stamp: Stamp) {
  const { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest, supersededBy } = memory;
  const { by, at } = superseding ?? stamp;
  const columns = { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest, supersededBy };
  return { ...columns, ...optionalColumns(memory), cause: "superseded", by, at };
}

export async function restoreMemories(
  database: Database,
  limits: RecordLimits,
  restored: readonly RestoredMemory[],
  stamp: Stamp,
): Promise<number> {
  const all = restored.map(({ memory }) => memory);
  const reads = [lockMemoryCounter, readKnown(all.map(({ memoryId }) => memoryId)), readKeys(all)];
  const names = all.flatMap(namesOfFact);
  const write = () =>
    database.readThenWrite(reads, ([, known, keys = []]) => {
      const missing = toRestore(restored, idsOf(known), new Set((keys as MemoryOnRecord[]).map(nameOf)));
      return { statements: statementsFor(missing, limits, stamp), outcome: missing.length };
    });
  return takingNames(database, names, write).catch(throwIfLimitReached(limits));
}

/** Those that are not on record, and whose key names no other memory. */
function toRestore(
  restored: readonly RestoredMemory[],
  known: ReadonlySet<string>,
  keys: Set<string>,
): readonly RestoredMemory[] {
  return restored.filter(({ memory }) => {
    if (known.has(memory.memoryId)) return false;
    if (memory.key === undefined || memory.supersededBy !== undefined) return true;
    const isFree = !keys.has(nameOf(memory));
    keys.add(nameOf(memory));
    return isFree;
  });
}

function statementsFor(missing: readonly RestoredMemory[], limits: RecordLimits, stamp: Stamp): Statement[] {
  const history = missing.filter(({ memory }) => memory.supersededBy !== undefined);
  const current = missing.flatMap(({ memory }) => (memory.supersededBy === undefined ? memory : []));
  return [
    ...restoreRemoved(history.map((each) => historyRow(each, stamp))),
    ...(current.length === 0 ? [] : addMemories(current, limits, "each")),
    ...pinsOf(current).map((pin) => setPinned(pin, stamp)),
    ...takeNames(missing.flatMap(({ memory }) => namesOfFact(memory))),
    ...putLeasesOfMemories(missing.flatMap(({ lease }) => lease ?? [])),
    ...addEvents(current.map((memory) => capturedEvent({ ...memory, createdAt: stamp.at }))),
  ];
}

export function restoreTombstones(database: Database, tombstones: readonly ExportedTombstone[]): Promise<number> {
  const reads = [lockMemoryCounter, readKnown(tombstones.map(({ memoryId }) => memoryId))];
  return database.readThenWrite(reads, ([, rows]) => {
    const known = idsOf(rows);
    const missing = newestById(tombstones).filter(({ memoryId }) => !known.has(memoryId));
    const removed = missing.map(({ forgottenBy: by, forgottenAt: at, ...rest }) => ({ ...rest, by, at }));
    return { statements: restoreRemoved(removed), outcome: missing.length };
  });
}
