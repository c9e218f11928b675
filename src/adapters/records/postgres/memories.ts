import { capturedEvent } from "#adapters/records/shared/events.ts";
import { limitReached } from "#adapters/records/shared/limits.ts";
import {
  bySequence,
  type CountRow,
  MEMORY_COLUMNS,
  type MemoryRow,
  type SequencedMemory,
  SOURCE_AGENTS_COUNTED,
  toCounts,
  toMemory,
} from "#adapters/records/shared/rows.ts";
import type { Memory } from "#core/memory.ts";
import type { BlobLease, Decision, MemoryRecords, RecordLimits } from "#ports.ts";
import { lockMemoryCounter } from "./connection/counters.ts";
import { type Database, READ_SNAPSHOT, type Statement } from "./connection/database.ts";
import { isLimitReached } from "./connection/failures.ts";
import { groupCommit } from "./connection/group-commit.ts";
import { putLeases } from "./leases.ts";
import { addDecisions } from "./logs/decisions.ts";
import { addEvents } from "./logs/events.ts";
import { readMemoryPage } from "./pages/memory-pages.ts";
import { writePin } from "./pins.ts";

/** How many memories one commit records. The longest ones make a statement of some megabytes. */
const MAX_BATCH = 500;

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
const ADD = `
  WITH taken AS (UPDATE counters SET value = value + $1::bigint WHERE name = 'memory' RETURNING value - $1::bigint AS start),
  added AS (
    SELECT start + place AS sequence, id, ref, namespace, content, source, created, digest
    FROM taken, ROWS FROM (json_to_recordset($2::json) AS ("memoryId" text, "storeRef" text, namespace text, content text,
      "sourceAgent" text, "createdAt" text, "contentDigest" text))
      WITH ORDINALITY AS given (id, ref, namespace, content, source, created, digest, place)
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

/** Records the memories in this order, all or none. */
export function addMemories(memories: readonly Memory[], { namespaces }: RecordLimits): Statement[] {
  return [
    lockMemoryCounter,
    { text: COUNT_NEW_NAMESPACES, values: [memories.map(({ namespace }) => namespace), namespaces] },
    { text: ADD, values: [memories.length, JSON.stringify(memories)] },
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

/** Leaves a tombstone of every memory, for indices that still have it. */
export const forgetAllMemories: readonly Statement[] = [
  lockMemoryCounter,
  FORGET_ALL,
  { text: "UPDATE totals SET value = 0 WHERE name = 'namespaces'", values: [] },
];

const NO_ROOM = `
  SELECT FROM totals WHERE name = 'namespaces' AND value >= $2
    AND $1 IS DISTINCT FROM (SELECT namespace FROM memories WHERE namespace >= $1 ORDER BY namespace, sequence LIMIT 1)`;
const FIND = `SELECT ${MEMORY_COLUMNS} FROM memories WHERE memory_id = $1`;
const AT = `
  SELECT sequence, ${MEMORY_COLUMNS} FROM memories WHERE sequence = ANY ($1::bigint[])`;

const COUNTS: readonly Statement[] = [
  "SELECT name, memories AS count FROM namespaces WHERE memories > 0 ORDER BY name",
  `SELECT name, memories AS count FROM source_agents ORDER BY memories DESC, name LIMIT ${SOURCE_AGENTS_COUNTED}`,
  "SELECT count(*) AS count FROM source_agents",
].map((text) => ({ text, values: [] }));

interface Capture {
  readonly memory: Memory;
  readonly lease: BlobLease | undefined;
  readonly decision: Decision | undefined;
}

/** `idle` answers when no capture waits any more. */
export function memoryRecords(
  database: Database,
  limits: RecordLimits,
): { readonly records: MemoryRecords; idle(): Promise<void> } {
  const captures = groupCommit<Capture>(MAX_BATCH, (batch) => {
    const leases = batch.flatMap(({ lease }) => lease ?? []);
    const memories = batch.map(({ memory }) => memory);
    return database.write(
      ...addMemories(memories, limits),
      ...putLeases(leases),
      ...addDecisions(batch.map(({ decision }) => decision)),
      ...addEvents(memories.map(capturedEvent)),
    );
  });

  const records: MemoryRecords = {
    add: (memory, lease, decision) => captures.write({ memory, lease, decision }).catch(throwIfLimitReached(limits)),
    async checkRoomFor(namespace) {
      const found = await database.rows({ text: NO_ROOM, values: [namespace, limits.namespaces] });
      if (found.length > 0) throw limitReached("namespaces", limits);
    },
    async find(memoryId) {
      const row = await database.row<MemoryRow>({ text: FIND, values: [memoryId] });
      return row && toMemory(row);
    },
    at: async (sequences) => bySequence(await database.rows<SequencedMemory>({ text: AT, values: [sequences] })),
    page: (query) => readMemoryPage(database, query),
    setPinned: (pin, stamp) => writePin(database, pin, stamp),
    async counts() {
      const counted = await database.transaction(COUNTS, { begin: READ_SNAPSHOT });
      const [byNamespace, bySourceAgent, [total]] = counted as [CountRow[], CountRow[], CountRow[]];
      const sourceAgents = total?.count ?? 0;
      return { byNamespace: toCounts(byNamespace), bySourceAgent: toCounts(bySourceAgent), sourceAgents };
    },
  };
  return { records, idle: captures.idle };
}
