// Captures in group commits. A capture that makes another memory history goes behind the fence (corrections.ts).
import { IS_CURRENT } from "#adapters/records/postgres/connection/clock.ts";
import type { Database, Statement } from "#adapters/records/postgres/connection/database.ts";
import { isKeyTaken } from "#adapters/records/postgres/connection/failures.ts";
import { groupCommit } from "#adapters/records/postgres/connection/group-commit.ts";
import { addDecisions } from "#adapters/records/postgres/logs/decisions.ts";
import { addEventsOf } from "#adapters/records/postgres/logs/events.ts";
import { takeNames, takingNames } from "#adapters/records/postgres/names.ts";
import { putLeasesOfMemories } from "#adapters/records/postgres/tables/leases.ts";
import { capturedEvent, toEventRow } from "#adapters/records/shared/logs/events.ts";
import { namesOfFact } from "#adapters/records/shared/memories/names.ts";
import { factHashOf, MEMORY_COLUMNS, type MemoryRow, toMemory } from "#adapters/records/shared/rows.ts";
import type { BlobLease, Decision, MemoryOnRecord, MemoryRecords, RecordLimits } from "#ports.ts";
import { idOfFact } from "./fact-id.ts";
import { addMemories, throwIfLimitReached } from "./memory-table.ts";

/** How many memories one commit records. The longest ones make a statement of some megabytes. */
const MAX_BATCH = 500;

export interface Capture {
  readonly memory: MemoryOnRecord;
  readonly lease: BlobLease | undefined;
  readonly decision: Decision | undefined;
}

/** The memories on record of these facts, without those of these ids. */
const FIND_EARLIER = `
  SELECT ${MEMORY_COLUMNS} FROM memories WHERE fact_hash = ANY ($1) AND memory_id <> ALL ($2) AND ${IS_CURRENT}
  ORDER BY sequence DESC`;

function findEarlier(memories: readonly MemoryOnRecord[]): Statement {
  return { text: FIND_EARLIER, values: [memories.map(factHashOf), memories.map(({ memoryId }) => memoryId)] };
}

const ADD_CAPTURED = `
  WITH happened AS (
    SELECT at, data FROM json_to_recordset($1::json) AS given (id text, at text, data text)
    WHERE EXISTS (SELECT FROM memories WHERE memory_id = id)
  ),
  ${addEventsOf("happened", "memory-captured")}`;

/** An event for each of them that was recorded, because its fact was not on record. */
function addCapturedEvents(memories: readonly MemoryOnRecord[]): Statement {
  const events = memories.map((memory) => ({ id: memory.memoryId, ...toEventRow(capturedEvent(memory)) }));
  return { text: ADD_CAPTURED, values: [JSON.stringify(events)] };
}

const OF_KEY = `
  SELECT fact_hash AS "factHash", expires_at AS "expiresAt", ${IS_CURRENT} AS "isCurrent" FROM memories
  WHERE namespace = $1 AND source_agent = $2 AND fact_key = $3`;
const OF_FACT = `
  SELECT fact_hash AS "factHash", expires_at AS "expiresAt", true AS "isCurrent" FROM memories
  WHERE fact_hash = $1 AND fact_key IS NULL AND ${IS_CURRENT} ORDER BY sequence LIMIT 1`;

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

/** `idle` answers when no capture waits any more. */
export function captures(
  database: Database,
  limits: RecordLimits,
  correct: (capture: Capture) => Promise<MemoryOnRecord>,
): { readonly add: MemoryRecords["add"]; idle(): Promise<void> } {
  const additions = groupCommit<Capture, MemoryOnRecord>(
    { max: MAX_BATCH, onCommit: database.onCommit },
    async (batch) => {
      const memories = batch.map(({ memory }) => memory);
      const rows = await database.transaction([
        ...addMemories(memories, limits, "once"),
        ...takeNames(memories.flatMap(namesOfFact)),
        ...putLeasesOfMemories(batch.flatMap(({ lease }) => lease ?? [])),
        ...addDecisions(batch.map(({ decision }) => decision)),
        addCapturedEvents(memories),
        findEarlier(memories),
      ]);
      // Of the same fact in one batch, the first memory was recorded. Of those on record before, the first one counts.
      const recorded = new Map(memories.toReversed().map((memory) => [idOfFact(memory), memory]));
      for (const memory of (rows.at(-1) as MemoryRow[]).map(toMemory)) recorded.set(idOfFact(memory), memory);
      return ({ memory }) => recorded.get(idOfFact(memory)) ?? memory;
    },
  );

  async function addOrCorrect(capture: Capture): Promise<MemoryOnRecord> {
    if (await changesMemory(database, capture.memory)) return correct(capture);
    try {
      const recorded = await additions.write(capture);
      const isAsGiven = !hasOtherExpiry(capture.memory, recorded.expiresAt);
      // It is a repeat of a capture that came first just now, and its decision is on record.
      return isAsGiven ? recorded : correct({ ...capture, decision: undefined });
    } catch (error) {
      if (isKeyTaken(error)) return correct(capture);
      throw error;
    }
  }

  return {
    add: (memory, lease, decision) =>
      takingNames(database, namesOfFact(memory), () => addOrCorrect({ memory, lease, decision })).catch(
        throwIfLimitReached(limits),
      ),
    idle: additions.idle,
  };
}
