// Removals of memories: superseded ones become history, forgotten ones leave a tombstone. Either way the change feed has
// a row, so that indices follow, and the counter that the fence looks at advances.
import { IS_CURRENT, NOW } from "#adapters/records/postgres/connection/clock.ts";
import { countRemoval, lockMemoryCounter } from "#adapters/records/postgres/connection/counters.ts";
import type { Statement } from "#adapters/records/postgres/connection/database.ts";
import { dropAllStrayLeases, dropStrayLeases } from "#adapters/records/postgres/tables/leases.ts";
import { dropAllQuestions, dropQuestionsOf } from "#adapters/records/postgres/tables/questions.ts";
import type { ForgetCause } from "#core/tombstone.ts";
import type { Stamp } from "#ports.ts";

/** A memory that is to be removed, current or superseded. */
export interface RemovedMemory {
  readonly memoryId: string;
  readonly namespace: string;
  readonly sourceAgent: string;
  readonly storeRef: string;
  readonly isCurrent: boolean;
}

interface RemovalOfCurrent {
  readonly memoryId: string;
  readonly cause: ForgetCause | "superseded";
  readonly reason?: string | undefined;
  readonly by: string;
  readonly at: string;
  /** If it becomes history. */
  readonly supersededBy?: string;
}

const HISTORY = `sequence, memory_id, store_ref, namespace, content, source_agent, created_at, content_digest, fact_key,
  expires_at, supersedes, seal_key_id, wrapped_key, fact_hash`;

// Must come after `lockMemoryCounter`. A snapshot of the index has the words of the memories, so it is taken off the
// register.
const REMOVE = `
  WITH gone AS (
    DELETE FROM memories
    USING json_to_recordset($1::json) AS given ("memoryId" text, cause text, reason text, "by" text, "at" text,
      "supersededBy" text)
    WHERE memory_id = "memoryId"
    RETURNING memories.*, cause, reason, "by" AS removed_by, "at" AS removed_at, "supersededBy" AS superseded_by
  ),
  history AS (
    INSERT INTO superseded_memories (${HISTORY}, superseded_by, superseded_at)
    SELECT ${HISTORY}, superseded_by, removed_at FROM gone WHERE cause = 'superseded'
  ),
  taken AS (
    UPDATE counters SET value = value + (SELECT count(*) FROM gone) WHERE name = 'memory'
    RETURNING value - (SELECT count(*) FROM gone) AS start
  ),
  numbered AS (SELECT gone.*, start + row_number() OVER (ORDER BY gone.sequence) AS number FROM taken, gone),
  logged AS (
    INSERT INTO forgotten (sequence, captured, namespace, memory_id, source_agent, cause, reason, removed_by, removed_at)
    SELECT number, sequence, namespace, memory_id, source_agent, cause, reason, removed_by, removed_at FROM numbered
  ),
  moved AS (
    UPDATE namespaces SET memories = namespaces.memories - fewer.count, head = fewer.head
    FROM (SELECT namespace, count(*) AS count, max(number) AS head FROM numbered GROUP BY namespace) AS fewer
    WHERE name = fewer.namespace RETURNING namespaces.memories AS remaining
  ),
  emptied AS (
    UPDATE totals SET value = value - empty.count FROM (SELECT count(*) AS count FROM moved WHERE remaining = 0) AS empty
    WHERE name = 'namespaces' AND empty.count > 0
  ),
  agents AS (
    UPDATE source_agents SET memories = source_agents.memories - fewer.count
    FROM (SELECT source_agent, count(*) AS count FROM gone GROUP BY source_agent) AS fewer
    WHERE name = fewer.source_agent
  )
  DELETE FROM index_snapshots WHERE namespace IN (SELECT namespace FROM gone)`;
const DROP_EMPTY_AGENTS: Statement = { text: "DELETE FROM source_agents WHERE memories = 0", values: [] };

/** Takes current memories out of their table. No statement when there are none. */
export function removeCurrent(removals: readonly RemovalOfCurrent[]): Statement[] {
  if (removals.length === 0) return [];
  const forgotten = removals.filter(({ cause }) => cause !== "superseded").map(({ memoryId }) => memoryId);
  return [
    { text: REMOVE, values: [JSON.stringify(removals)] },
    DROP_EMPTY_AGENTS,
    countRemoval,
    // A question may quote the memory that answered it.
    ...(forgotten.length === 0 ? [] : [dropQuestionsOf(forgotten)]),
  ];
}

// The change feed has the removal since the memory became history, and now it becomes a tombstone.
const FORGET_SUPERSEDED = `
  WITH gone AS (DELETE FROM superseded_memories WHERE memory_id = ANY ($1) RETURNING memory_id)
  UPDATE forgotten SET cause = $2, reason = $3, removed_by = $4, removed_at = $5
  FROM gone WHERE forgotten.memory_id = gone.memory_id`;

interface Why {
  readonly cause: ForgetCause;
  readonly reason?: string | undefined;
}

/** Forgets these, which are on record. */
export function forgetMemories(memories: readonly RemovedMemory[], why: Why, { by, at }: Stamp): Statement[] {
  const { cause, reason } = why;
  if (memories.length === 0) return [];
  const superseded = memories.filter(({ isCurrent }) => !isCurrent).map(({ memoryId }) => memoryId);
  const current = memories.filter(({ isCurrent }) => isCurrent);
  return [
    ...removeCurrent(current.map(({ memoryId }) => ({ memoryId, cause, reason, by, at }))),
    ...(superseded.length === 0
      ? []
      : [
          { text: FORGET_SUPERSEDED, values: [superseded, cause, reason ?? null, by, at] },
          countRemoval,
          dropQuestionsOf(superseded),
        ]),
    dropStrayLeases([...new Set(memories.map(({ storeRef }) => storeRef))]),
  ];
}

const REMOVED = `memory_id AS "memoryId", namespace, source_agent AS "sourceAgent", store_ref AS "storeRef"`;

/** How many receipts name the memory of this id that are anchored in the open form. In the sealed form they name none. */
export const anchoredReceiptsOf = (memoryId: string) => `(
  SELECT count(DISTINCT issued_answer) FROM memory_uses JOIN anchors ON issued_answer = memory_uses.answer_id
  WHERE memory_uses.memory_id = ${memoryId} AND EXISTS (
    SELECT FROM json_array_elements(body::json -> 'usedMemories') AS used WHERE used ->> 'memoryId' = ${memoryId}))`;

const TO_FORGET = `
  SELECT found.*, ${anchoredReceiptsOf('"memoryId"')} AS "anchoredReceipts"
  FROM (
    SELECT ${REMOVED}, true AS "isCurrent" FROM memories WHERE memory_id = ANY ($1)
    UNION ALL
    SELECT ${REMOVED}, false FROM superseded_memories WHERE memory_id = ANY ($1)
  ) AS found`;

export type MemoryToForget = RemovedMemory & { readonly anchoredReceipts: number };

/** Those of these memories that are on record: `MemoryToForget`. */
export const readToForget = (memoryIds: readonly string[]): Statement => ({ text: TO_FORGET, values: [memoryIds] });

const EXPIRED = `
  SELECT *, ${NOW} AS now FROM (
    (SELECT ${REMOVED}, true AS "isCurrent" FROM memories WHERE expires_at <= ${NOW} ORDER BY expires_at LIMIT $1)
    UNION ALL
    (SELECT ${REMOVED}, false FROM superseded_memories WHERE expires_at <= ${NOW} ORDER BY expires_at LIMIT $1)
  ) AS expired LIMIT $1`;

/** Memories whose time is over, and the server's time. */
export const readExpired = (limit: number): Statement => ({ text: EXPIRED, values: [limit] });

const FORGET_ALL = `
  WITH gone AS (DELETE FROM memories RETURNING sequence, namespace, memory_id, source_agent),
  before AS (SELECT value AS start FROM counters WHERE name = 'memory'),
  numbered AS (SELECT gone.*, start + row_number() OVER (ORDER BY sequence) AS number FROM before, gone),
  counted AS (UPDATE counters SET value = value + (SELECT count(*) FROM gone) WHERE name = 'memory'),
  emptied AS (
    INSERT INTO namespaces (name, memories, head) SELECT namespace, 0, max(number) FROM numbered GROUP BY namespace
    ON CONFLICT (name) DO UPDATE SET memories = 0, head = excluded.head
  ),
  nobody AS (DELETE FROM source_agents),
  snapshots AS (DELETE FROM index_snapshots)
  INSERT INTO forgotten (sequence, captured, namespace, memory_id, source_agent, cause, removed_by, removed_at)
  SELECT number, sequence, namespace, memory_id, source_agent, 'reset', $1::text, $2::text FROM numbered`;
const FORGET_HISTORY = `
  WITH gone AS (DELETE FROM superseded_memories RETURNING memory_id)
  UPDATE forgotten SET cause = 'reset', removed_by = $1, removed_at = $2
  FROM gone WHERE forgotten.memory_id = gone.memory_id`;

/** Leaves a tombstone of every memory, superseded ones included. */
export const forgetAllMemories = ({ by, at }: Stamp): readonly Statement[] => [
  lockMemoryCounter,
  { text: FORGET_ALL, values: [by, at] },
  { text: FORGET_HISTORY, values: [by, at] },
  { text: "UPDATE totals SET value = 0 WHERE name = 'namespaces'", values: [] },
  countRemoval,
  dropAllQuestions,
  dropAllStrayLeases,
];

const ON_RECORD = `
  SELECT memory_id AS "memoryId", false AS "isSuperseded" FROM memories WHERE memory_id = ANY ($1) AND ${IS_CURRENT}
  UNION ALL
  SELECT memory_id, true FROM superseded_memories WHERE memory_id = ANY ($1) AND ${IS_CURRENT}`;

/** For the fence: which of these memories are on record, and whether they are history. */
export function readOnRecord(memoryIds: readonly string[]): Statement {
  // PostgreSQL has no text with a NUL, so there is no such memory. A statement that names one would fail for all.
  return { text: ON_RECORD, values: [memoryIds.filter((id) => !id.includes("\0"))] };
}
