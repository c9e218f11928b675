// The statements that write memories. Captures and resets share them.
import { IS_CURRENT } from "#adapters/records/postgres/connection/clock.ts";
import { lockMemoryCounter } from "#adapters/records/postgres/connection/counters.ts";
import type { Database, Statement } from "#adapters/records/postgres/connection/database.ts";
import { isLimitReached } from "#adapters/records/postgres/connection/failures.ts";
import { limitReached } from "#adapters/records/shared/limits.ts";
import { optionalColumns } from "#adapters/records/shared/rows.ts";
import type { MemoryOnRecord, RecordLimits } from "#ports.ts";

// The smallest namespace that is not before a given one is read from the index, whatever the planner thinks of it.
const COUNT_NEW_NAMESPACES = `
  UPDATE totals SET value = value + new.count, most = $2
  FROM (
    SELECT count(*) AS count FROM (SELECT DISTINCT name FROM unnest($1::text[]) AS given (name)) AS given
    LEFT JOIN LATERAL (
      SELECT namespace FROM memories WHERE namespace >= given.name ORDER BY namespace, sequence LIMIT 1
    ) AS next ON true
    WHERE namespace IS DISTINCT FROM given.name
  ) AS new
  WHERE name = 'namespaces' AND new.count > 0`;

// The row of the counter stays locked until the commit. So a later writer gets later sequences and commits later, and a
// reader that has seen a sequence has seen all before it.
//
// A fact that is on record, or that came earlier in the batch, under the same key, is not added again, unless $2 says that
// each is its own.
const ADD = `
  WITH given AS (
    SELECT * FROM ROWS FROM (json_to_recordset($1::json) AS ("memoryId" text, "storeRef" text, namespace text, content text,
      "sourceAgent" text, "createdAt" text, "contentDigest" text, key text, "expiresAt" text, supersedes text,
      "sealKeyId" text, "wrappedKey" text, "factHash" text))
      WITH ORDINALITY AS given (id, ref, namespace, content, source, created, digest, key, expires, supersedes, seal, wrapped,
        hash, place)
  ),
  fresh AS (
    SELECT *, row_number() OVER (ORDER BY place) AS rank
    FROM (SELECT DISTINCT ON (hash, key, own) * FROM given, LATERAL (SELECT CASE WHEN $2 THEN place END) AS repeats (own)
      ORDER BY hash, key, own, place) AS distinct_facts
    WHERE $2 OR NOT EXISTS (SELECT FROM memories
      WHERE fact_hash = hash AND fact_key IS NOT DISTINCT FROM distinct_facts.key AND ${IS_CURRENT})
  ),
  taken AS (
    UPDATE counters SET value = value + (SELECT count(*) FROM fresh) WHERE name = 'memory'
    RETURNING value - (SELECT count(*) FROM fresh) AS start
  ),
  added AS (
    SELECT start + rank AS sequence, fresh.* FROM taken, fresh
  ),
  moved AS (
    INSERT INTO namespaces AS known (name, memories, head)
    SELECT namespace, count(*), max(sequence) FROM added GROUP BY namespace
    ON CONFLICT (name) DO UPDATE SET memories = known.memories + excluded.memories, head = excluded.head
  ),
  counted AS (
    INSERT INTO source_agents AS known (name, memories) SELECT source, count(*) FROM added GROUP BY source
    ON CONFLICT (name) DO UPDATE SET memories = known.memories + excluded.memories
  )
  INSERT INTO memories (sequence, memory_id, store_ref, namespace, content, source_agent, created_at, content_digest,
    fact_key, expires_at, supersedes, seal_key_id, wrapped_key, fact_hash)
  SELECT sequence, id, ref, namespace, content, source, created, digest, key, expires, supersedes, seal, wrapped, hash
  FROM added`;

/** Records the memories in this order, all or none: each of them. With `once`, facts that are on record, or came before in the list, are left out. */
export function addMemories(
  memories: readonly MemoryOnRecord[],
  { namespaces }: RecordLimits,
  repeats: "once" | "each",
): Statement[] {
  return [
    lockMemoryCounter,
    { text: COUNT_NEW_NAMESPACES, values: [memories.map(({ namespace }) => namespace), namespaces] },
    { text: ADD, values: [JSON.stringify(memories.map(toColumns)), repeats === "each"] },
  ];
}

function toColumns(memory: MemoryOnRecord) {
  const { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest } = memory;
  const columns = { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest };
  return { ...columns, ...optionalColumns(memory) };
}

const NO_ROOM = `
  SELECT FROM totals WHERE name = 'namespaces' AND value >= $2
    AND $1 IS DISTINCT FROM (SELECT namespace FROM memories WHERE namespace >= $1 ORDER BY namespace, sequence LIMIT 1)`;

/** Rejects when the namespace is new, and there are too many. */
export async function requireRoomFor(database: Database, namespace: string, limits: RecordLimits): Promise<void> {
  const found = await database.rows({ text: NO_ROOM, values: [namespace, limits.namespaces] });
  if (found.length > 0) throw limitReached("namespaces", limits);
}

/** For `catch`, where memories are recorded. */
export function throwIfLimitReached(limits: RecordLimits): (error: unknown) => never {
  return (error) => {
    throw isLimitReached(error) ? limitReached("namespaces", limits, error) : error;
  };
}
