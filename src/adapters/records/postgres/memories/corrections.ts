// Captures that change memories on record: they make others history, or say when one expires. They share a transaction
// behind the fence. One that is refused does not void the others.
import { IS_CURRENT, NOW } from "#adapters/records/postgres/connection/clock.ts";
import { countRemoval, lockMemoryCounter } from "#adapters/records/postgres/connection/counters.ts";
import type { Database, Statement } from "#adapters/records/postgres/connection/database.ts";
import { groupCommit } from "#adapters/records/postgres/connection/group-commit.ts";
import { addDecisions } from "#adapters/records/postgres/logs/decisions.ts";
import { addEvents } from "#adapters/records/postgres/logs/events.ts";
import { takeNames } from "#adapters/records/postgres/names.ts";
import type { FencedPolicy } from "#adapters/records/postgres/policy/policy.ts";
import { dropStrayLeases, putLeasesOfMemories } from "#adapters/records/postgres/tables/leases.ts";
import { capturedEvent, forgottenEvent, supersededEvent } from "#adapters/records/shared/logs/events.ts";
import { namesOfFact } from "#adapters/records/shared/memories/names.ts";
import { factHashOf, MEMORY_COLUMNS, type MemoryRow, toMemory } from "#adapters/records/shared/rows.ts";
import { PortcullisError } from "#core/errors.ts";
import type { MemoryOnRecord, NewEvent, RecordLimits } from "#ports.ts";
import type { Capture } from "./captures.ts";
import { type CorrectionPlan, planCorrections, SERVICE } from "./correction-plan.ts";
import { addMemories } from "./memory-table.ts";
import { removeCurrent } from "./removals.ts";

/** How many corrections one commit records. The fence is held meanwhile. */
const MAX_BATCH = 100;

// Each part reads an index of its own.
const CONCERNED = `
  SELECT ${MEMORY_COLUMNS}, NOT ${IS_CURRENT} AS "hasExpired" FROM memories WHERE sequence IN (
    SELECT sequence FROM memories WHERE memory_id = ANY ($1)
    UNION ALL
    SELECT sequence FROM memories WHERE fact_hash = ANY ($2)
    UNION ALL
    SELECT sequence FROM memories JOIN unnest($3::text[], $4::text[], $5::text[]) AS named (space, agent, name)
      ON namespace = space AND source_agent = agent AND fact_key = name
  ) ORDER BY sequence`;

/** The memories on record that the captures may change, or repeat. */
function readConcerned(memories: readonly MemoryOnRecord[]): Statement {
  const keyed = memories.filter(({ key }) => key !== undefined);
  const values = [
    memories.flatMap(({ supersedes }) => supersedes ?? []),
    memories.map(factHashOf),
    keyed.map(({ namespace }) => namespace),
    keyed.map(({ sourceAgent }) => sourceAgent),
    keyed.map(({ key }) => key),
  ];
  return { text: CONCERNED, values };
}

const readClock: Statement = { text: `SELECT ${NOW} AS now`, values: [] };

/** `idle` answers when no correction waits any more. */
export function corrections(
  database: Database,
  limits: RecordLimits,
  alone: FencedPolicy["alone"],
): { correct(capture: Capture): Promise<MemoryOnRecord>; idle(): Promise<void> } {
  const commits = groupCommit<Capture, MemoryOnRecord | PortcullisError>(
    { max: MAX_BATCH, onCommit: database.onCommit },
    async (batch) => {
      const memories = batch.map(({ memory }) => memory);
      const plan = await alone([lockMemoryCounter, readClock, readConcerned(memories)], (rows) => {
        const [[clock], found] = rows.slice(-2) as [[{ now: string }], (MemoryRow & { hasExpired: boolean })[]];
        const concerned = found.map((row) => ({ memory: toMemory(row), hasExpired: row.hasExpired }));
        const planned = planCorrections(memories, concerned, clock.now);
        const statements = statementsOf(planned, batch, limits, clock.now);
        return { statements, outcome: planned, isChange: planned.phases.length > 0 };
      });
      return ({ memory }) => plan.outcomes.get(memory) ?? memory;
    },
  );
  return {
    async correct(capture) {
      const outcome = await commits.write(capture);
      if (outcome instanceof PortcullisError) throw outcome;
      return outcome;
    },
    idle: commits.idle,
  };
}

function statementsOf(
  { phases, outcomes }: CorrectionPlan,
  batch: readonly Capture[],
  limits: RecordLimits,
  now: string,
): Statement[] {
  const done = batch.filter(({ memory }) => !(outcomes.get(memory) instanceof PortcullisError));
  const events: NewEvent[] = [];
  const changes: Statement[] = [];
  for (const { superseded, expired, added, changed } of phases) {
    changes.push(
      ...removeCurrent([
        ...superseded.map(({ memory, by, agent }) => ({
          memoryId: memory.memoryId,
          cause: "superseded" as const,
          by: agent,
          at: now,
          supersededBy: by,
        })),
        ...expired.map(({ memoryId }) => ({ memoryId, cause: "expired" as const, by: SERVICE, at: now })),
      ]),
      ...(expired.length === 0 ? [] : [dropStrayLeases(expired.map(({ storeRef }) => storeRef))]),
      ...(added.length === 0 ? [] : addMemories(added, limits, "each")),
      ...(changed.length === 0 ? [] : [update(changed), countRemoval]),
    );
    for (const { memory, by } of superseded) events.push(supersededEvent(memory, by, now));
    for (const { memoryId, namespace, sourceAgent } of expired) {
      const tombstone = { memoryId, namespace, cause: "expired" as const, forgottenBy: SERVICE, forgottenAt: now };
      events.push(forgottenEvent(tombstone, sourceAgent));
    }
    events.push(...added.map(capturedEvent));
  }
  return [
    ...changes,
    ...takeNames(done.flatMap(({ memory }) => namesOfFact(memory))),
    ...putLeasesOfMemories(done.flatMap(({ lease }) => lease ?? [])),
    ...addDecisions(done.map(({ decision }) => decision)),
    ...addEvents(events),
  ];
}

const UPDATE = `
  UPDATE memories SET expires_at = "expiresAt", supersedes = given.supersedes
  FROM json_to_recordset($1::json) AS given ("memoryId" text, "expiresAt" text, supersedes text)
  WHERE memory_id = "memoryId"`;

/** Records when memories on record expire, and what they supersede. */
function update(memories: readonly MemoryOnRecord[]): Statement {
  const rows = memories.map(({ memoryId, expiresAt, supersedes }) => ({ memoryId, expiresAt, supersedes }));
  return { text: UPDATE, values: [JSON.stringify(rows)] };
}
