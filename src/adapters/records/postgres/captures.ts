// Captures in group commits of one round trip, without a look at what is on record: a fact that is there is left out by the
// statement itself. One that turns out to change a memory on record goes behind the fence.

import { leaseStatements } from "#adapters/records/shared/anchoring/leases.ts";
import { defaultOf, quotaOf, throwIfLimitReached } from "#adapters/records/shared/limits.ts";
import { decisionStatements } from "#adapters/records/shared/logs/decisions.ts";
import { capturedEvent, toEventRow } from "#adapters/records/shared/logs/events.ts";
import type { Capture, Correct } from "#adapters/records/shared/memories/captures.ts";
import { countNewNamespaces } from "#adapters/records/shared/memories/memory-statements.ts";
import { nameStatements, namesOfFact, takingNames } from "#adapters/records/shared/memories/names.ts";
import {
  GIVEN_MEMORY,
  MEMORY_COLUMNS,
  MEMORY_TARGET,
  type MemoryRow,
  TEXT_BYTES,
  toGiven,
  toMemory,
} from "#adapters/records/shared/rows.ts";
import type { Statement } from "#adapters/records/shared/sql/database.ts";
import { IS_CURRENT, LOCK_MEMORIES, nextIn, POSTGRES_NOW, tableIn } from "#adapters/records/shared/sql/dialect.ts";
import { factHashOf, idOfFact, type MemoryOnRecord } from "#core/memory.ts";
import type { MemoryRecords, RecordLimits } from "#ports.ts";
import type { Database } from "./connection/database.ts";

/** How many memories one commit records. The longest ones make a statement of some megabytes. */
const MAX_BATCH = 500;

const SOURCE = Object.keys(GIVEN_MEMORY)
  .map((name) => `"${name}"`)
  .join(", ");

// The row of the counter stays locked until the commit. So a later writer gets later sequences and commits later, and a
// reader that has seen a sequence has seen all before it. A fact that is on record, or that came earlier in the batch, under
// the same key, is not added again. When there is no counter, as in a tenant that was deleted, a sequence of NULL fails.
const ADD = `
  WITH fresh AS (
    SELECT *, row_number() OVER (ORDER BY place) AS rank
    FROM (SELECT DISTINCT ON ("factHash", key) * FROM ${tableIn("$1", GIVEN_MEMORY)}
      ORDER BY "factHash", key, place) AS given
    WHERE NOT EXISTS (SELECT FROM memories
      WHERE tenant = $tenant AND fact_hash = "factHash" AND fact_key IS NOT DISTINCT FROM given.key AND ${IS_CURRENT})
  ),
  taken AS (
    UPDATE counters SET value = value + (SELECT count(*) FROM fresh) WHERE tenant = $tenant AND name = 'memory'
    RETURNING value - (SELECT count(*) FROM fresh) AS start
  ),
  added AS (SELECT (SELECT start FROM taken) + rank AS sequence, fresh.* FROM fresh),
  moved AS (
    INSERT INTO namespaces AS known (tenant, name, memories, head)
    SELECT $tenant, namespace, count(*), max(sequence) FROM added GROUP BY namespace
    ON CONFLICT (tenant, name) DO UPDATE SET memories = known.memories + excluded.memories, head = excluded.head
  ),
  totalled AS (
    UPDATE totals SET value = value + more, excess = value + more - most
    FROM (
      SELECT 'memories' AS total, count(*) AS more, ${quotaOf("memories", "$2")} AS most FROM fresh
      UNION ALL SELECT 'textBytes', sum(${TEXT_BYTES}), ${quotaOf("textBytes", "$3")} FROM fresh
    ) AS fresh_totals
    WHERE tenant = $tenant AND name = total AND more > 0
  ),
  counted AS (
    INSERT INTO source_agents AS known (tenant, name, memories)
    SELECT $tenant, "sourceAgent", count(*) FROM added GROUP BY "sourceAgent"
    ON CONFLICT (tenant, name) DO UPDATE SET memories = known.memories + excluded.memories
  )
  INSERT INTO memories (tenant, sequence, ${MEMORY_TARGET}) SELECT $tenant, sequence, ${SOURCE} FROM added`;

/** For each of them that was recorded, because its fact was not on record. */
const ofAdded = (counter: string, insert: string) => `
  WITH happened AS (
    SELECT id, at, data, row_number() OVER () AS place FROM json_to_recordset($1::json) AS given (id text, at text, data text)
    WHERE EXISTS (SELECT FROM memories WHERE tenant = $tenant AND memory_id = id)
  ),
  counted AS (SELECT count(*) AS count FROM happened),
  taken AS (
    UPDATE counters SET value = value + count FROM counted WHERE tenant = $tenant AND name = '${counter}' AND count > 0
    RETURNING value - count AS start
  )
  ${insert} FROM taken, happened`;
const ADD_ENTRIES = ofAdded(
  "log",
  `INSERT INTO log_entries (tenant, number, queued, at, kind, about)
  SELECT $tenant, start + place, ${nextIn("log_entries", "queued")}, ${POSTGRES_NOW}, 'captured', id`,
);
const ADD_EVENTS = ofAdded(
  "event",
  `INSERT INTO events (tenant, sequence, at, kind, data)
  SELECT $tenant, start + place, at, 'memory-captured', data`,
);

/** The memories on record of these facts, without those of these ids. */
const FIND_EARLIER = `
  SELECT ${MEMORY_COLUMNS} FROM memories
  WHERE tenant = $tenant AND fact_hash = ANY ($1) AND memory_id <> ALL ($2) AND ${IS_CURRENT}
  ORDER BY sequence DESC`;

const OF_KEY = `
  SELECT fact_hash AS "factHash", expires_at AS "expiresAt", ${IS_CURRENT} AS "isCurrent" FROM memories
  WHERE tenant = $tenant AND namespace = $1 AND source_agent = $2 AND fact_key = $3`;
const OF_FACT = `
  SELECT fact_hash AS "factHash", expires_at AS "expiresAt", true AS "isCurrent" FROM memories
  WHERE tenant = $tenant AND fact_hash = $1 AND fact_key IS NULL AND ${IS_CURRENT} ORDER BY sequence LIMIT 1`;

interface Held {
  readonly factHash: string;
  readonly expiresAt: string | null;
  readonly isCurrent: boolean;
}

/** Whether the capture would now change a memory that is on record. `add` finds out for sure. */
async function changesMemory(database: Database, memory: MemoryOnRecord): Promise<boolean> {
  const { namespace, sourceAgent, key, expiresAt, supersedes } = memory;
  if (supersedes !== undefined) return true;
  if (key === undefined && expiresAt === undefined) return false;
  const held = await database.row<Held>(
    key === undefined
      ? { text: OF_FACT, values: [factHashOf(memory)] }
      : { text: OF_KEY, values: [namespace, sourceAgent, key] },
  );
  if (held === undefined) return false;
  return held.factHash !== factHashOf(memory) || !held.isCurrent || hasOtherExpiry(memory, held.expiresAt);
}

const hasOtherExpiry = ({ expiresAt }: MemoryOnRecord, recorded: string | null | undefined): boolean =>
  expiresAt !== undefined && expiresAt !== recorded;

export function groupedCaptures(database: Database, limits: RecordLimits, correct: Correct): MemoryRecords["add"] {
  const most = [defaultOf("memories", limits), defaultOf("textBytes", limits)];

  function statementsFor(batch: readonly Capture[]): Statement[] {
    const memories = batch.map(({ memory }) => memory);
    const events = memories.map((memory) => ({ id: memory.memoryId, ...toEventRow(capturedEvent(memory)) }));
    return [
      LOCK_MEMORIES,
      countNewNamespaces(memories, limits),
      { text: ADD, values: [JSON.stringify(memories.map(toGiven)), ...most] },
      ...nameStatements.use(memories.flatMap(namesOfFact)),
      ...leaseStatements.putOfMemories(batch.flatMap(({ lease }) => lease ?? [])),
      ...decisionStatements.add(batch.map(({ decision }) => decision)),
      { text: ADD_ENTRIES, values: [JSON.stringify(events)] },
      { text: ADD_EVENTS, values: [JSON.stringify(events)] },
      { text: FIND_EARLIER, values: [memories.map(factHashOf), memories.map(({ memoryId }) => memoryId)] },
    ];
  }

  const record = database.groupCommit<Capture, MemoryOnRecord>(MAX_BATCH, async (batch) => {
    const rows = await database.transaction(statementsFor(batch));
    // Of the same fact in one batch, the first memory was recorded. Of those on record before, the first one counts.
    const memories = batch.map(({ memory }) => memory);
    const recorded = new Map(memories.toReversed().map((memory) => [idOfFact(memory), memory]));
    for (const memory of (rows.at(-1) as MemoryRow[]).map(toMemory)) recorded.set(idOfFact(memory), memory);
    return ({ memory }) => recorded.get(idOfFact(memory)) ?? memory;
  });

  async function capture(given: Capture): Promise<MemoryOnRecord> {
    if (given.accepted !== undefined || (await changesMemory(database, given.memory))) return correct(given);
    try {
      const recorded = await record(given);
      const isAsGiven = !hasOtherExpiry(given.memory, recorded.expiresAt);
      // It is a repeat of a capture that came first just now, and its decision is on record.
      return isAsGiven ? recorded : correct({ ...given, decision: undefined });
    } catch (error) {
      if (database.violates(error, "memories_fact_key")) return correct(given);
      throw error;
    }
  }

  return (memory, lease, decision, accepted) =>
    takingNames(database, namesOfFact(memory), () => capture({ memory, lease, decision, accepted })).catch(
      throwIfLimitReached(database, limits),
    );
}
