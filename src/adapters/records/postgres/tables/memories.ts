// The statements that write memories. Captures and resets share them.
import { lockMemoryCounter } from "#adapters/records/postgres/connection/counters.ts";
import type { Statement } from "#adapters/records/postgres/connection/database.ts";
import { isLimitReached } from "#adapters/records/postgres/connection/failures.ts";
import { limitReached } from "#adapters/records/shared/limits.ts";
import type { Memory } from "#core/memory.ts";
import type { RecordLimits } from "#ports.ts";
import { keepNamedFacts } from "./proof-facts.ts";

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
// A fact that is on record, or that came earlier in the batch, is not added again, unless $2 says that each is its own.
const ADD = `
  WITH given AS (
    SELECT * FROM ROWS FROM (json_to_recordset($1::json) AS ("memoryId" text, "storeRef" text, namespace text, content text,
      "sourceAgent" text, "createdAt" text, "contentDigest" text))
      WITH ORDINALITY AS given (id, ref, namespace, content, source, created, digest, place)
  ),
  fresh AS (
    SELECT *, row_number() OVER (ORDER BY place) AS rank
    FROM (SELECT DISTINCT ON (fact) * FROM given, LATERAL (SELECT CASE WHEN $2 THEN place::text ELSE digest END) AS own (fact)
      ORDER BY fact, place) AS distinct_facts
    WHERE NOT EXISTS (SELECT FROM memories WHERE content_digest = digest)
  ),
  taken AS (
    UPDATE counters SET value = value + (SELECT count(*) FROM fresh) WHERE name = 'memory'
    RETURNING value - (SELECT count(*) FROM fresh) AS start
  ),
  added AS (
    SELECT start + rank AS sequence, id, ref, namespace, content, source, created, digest FROM taken, fresh
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
  INSERT INTO memories (sequence, memory_id, store_ref, namespace, content, source_agent, created_at, content_digest)
  SELECT sequence, id, ref, namespace, content, source, created, digest FROM added`;

/** Records the memories in this order, all or none. Captures leave out facts that are on record, and a reset none. */
export function addMemories(
  memories: readonly Memory[],
  { namespaces }: RecordLimits,
  occasion: "capture" | "reset",
): Statement[] {
  return [
    lockMemoryCounter,
    { text: COUNT_NEW_NAMESPACES, values: [memories.map(({ namespace }) => namespace), namespaces] },
    { text: ADD, values: [JSON.stringify(memories), occasion === "reset"] },
  ];
}

/** For `catch`, where memories are recorded. */
export function throwIfLimitReached(limits: RecordLimits): (error: unknown) => never {
  return (error) => {
    throw isLimitReached(error) ? limitReached("namespaces", limits, error) : error;
  };
}

const FORGET_ALL: Statement = {
  text: `
    WITH gone AS (DELETE FROM memories RETURNING sequence, namespace),
    numbered AS (SELECT row_number() OVER (ORDER BY sequence) AS place, sequence, namespace FROM gone),
    before AS (SELECT value AS start FROM counters WHERE name = 'memory'),
    counted AS (UPDATE counters SET value = value + (SELECT count(*) FROM gone) WHERE name = 'memory'),
    emptied AS (
      INSERT INTO namespaces (name, memories, head)
      SELECT namespace, 0, max(start + place) FROM before, numbered GROUP BY namespace
      ON CONFLICT (name) DO UPDATE SET memories = 0, head = excluded.head
    ),
    nobody AS (DELETE FROM source_agents)
    INSERT INTO forgotten (sequence, captured, namespace)
    SELECT start + place, sequence, namespace FROM before, numbered`,
  values: [],
};

/** Leaves a tombstone of every memory, for indices that still have it. Keeps the facts that receipts name. */
export const forgetAllMemories: readonly Statement[] = [
  lockMemoryCounter,
  ...keepNamedFacts,
  FORGET_ALL,
  { text: "UPDATE totals SET value = 0 WHERE name = 'namespaces'", values: [] },
];
