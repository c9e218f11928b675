import { limitReached } from "#adapters/records/shared/limits.ts";
import { namesOfFact } from "#adapters/records/shared/names.ts";
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
import type { BlobLease, MemoryRecords, RecordLimits } from "#ports.ts";
import { lockMemoryCounter } from "./connection/counters.ts";
import { type Database, READ_SNAPSHOT, type Statement } from "./connection/database.ts";
import { isLimitReached } from "./connection/failures.ts";
import { groupCommit } from "./connection/group-commit.ts";
import { putLeasesOfMemories } from "./leases.ts";
import { checkNames, takeNames, takingNames } from "./names.ts";
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

/** The memories on record of these facts, without those of these ids. */
const FIND_EARLIER = `
  SELECT ${MEMORY_COLUMNS} FROM memories WHERE content_digest = ANY ($1) AND memory_id <> ALL ($2) ORDER BY sequence DESC`;

function findEarlier(memories: readonly Memory[]): Statement {
  const [digests, ids] = [memories.map(({ contentDigest }) => contentDigest), memories.map(({ memoryId }) => memoryId)];
  return { text: FIND_EARLIER, values: [digests, ids] };
}

interface Capture {
  readonly memory: Memory;
  readonly lease: BlobLease | undefined;
}

/** How many captures' names a process remembers. */
const MOST_NAMES = 10_000;

/** `idle` answers when no capture waits any more. */
export function memoryRecords(
  database: Database,
  limits: RecordLimits,
): { readonly records: MemoryRecords; idle(): Promise<void> } {
  const captures = groupCommit<Capture, Memory>(MAX_BATCH, async (batch) => {
    const memories = batch.map(({ memory }) => memory);
    const rows = await database.transaction([
      ...addMemories(memories, limits, "capture"),
      ...takeNames(memories.flatMap(namesOfFact)),
      ...putLeasesOfMemories(batch.flatMap(({ lease }) => lease ?? [])),
      findEarlier(memories),
    ]);
    // Of the same fact in one batch, the first memory was recorded. Of those on record before, the first one counts.
    const recorded = new Map(memories.toReversed().map((memory) => [memory.contentDigest, memory]));
    for (const row of rows.at(-1) as MemoryRow[]) recorded.set(row.contentDigest, toMemory(row));
    return ({ memory }) => recorded.get(memory.contentDigest) ?? memory;
  });
  /** Names of captures that were recorded. They spare `checkNames` a read; `add` decides. */
  let inUse = new Set<string>();

  async function add(memory: Memory, lease: BlobLease | undefined): Promise<Memory> {
    const recorded = await takingNames(database, namesOfFact(memory), () => captures.write({ memory, lease }));
    if (inUse.size >= MOST_NAMES) inUse = new Set();
    inUse.add(keyOf(memory));
    return recorded;
  }

  const records: MemoryRecords = {
    add: (memory, lease) => add(memory, lease).catch(throwIfLimitReached(limits)),
    async checkNames(given) {
      if (inUse.has(keyOf(given))) return;
      const found = await database.rows({ text: NO_ROOM, values: [given.namespace, limits.namespaces] });
      if (found.length > 0) throw limitReached("namespaces", limits);
      await checkNames(database, namesOfFact(given));
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

const keyOf = ({ namespace, sourceAgent }: Pick<Memory, "namespace" | "sourceAgent">): string =>
  JSON.stringify([namespace, sourceAgent]);
