import { IS_CURRENT } from "#adapters/records/postgres/connection/clock.ts";
import { lockMemoryCounter } from "#adapters/records/postgres/connection/counters.ts";
import type { Database, Statement } from "#adapters/records/postgres/connection/database.ts";
import { addDecisions } from "#adapters/records/postgres/logs/decisions.ts";
import { MEMORY_COLUMNS, type MemoryRow, toMemory } from "#adapters/records/shared/rows.ts";
import type { Pin, PinOutcome, Stamp } from "#ports.ts";

// `changed` is empty when there is nothing to change, or no room for another pin.
const SET = `
  WITH found AS (SELECT * FROM memories WHERE memory_id = $1 AND ${IS_CURRENT}),
  changed AS (
    SELECT sequence, namespace FROM found
    WHERE pinned <> $2::boolean AND (NOT $2::boolean OR $3::bigint >
      (SELECT count(*) FROM memories WHERE memories.namespace = found.namespace AND memories.pinned))
  ),
  counted AS (
    UPDATE counters SET value = value + 1 WHERE name = 'memory' AND EXISTS (SELECT FROM changed) RETURNING value
  ),
  logged AS (
    INSERT INTO pin_changes (sequence, captured, namespace, pinned, changed_by, changed_at)
    SELECT value, sequence, namespace, $2::boolean, $4::text, $5::text FROM counted, changed
  ),
  moved AS (
    UPDATE namespaces SET head = value FROM counted, changed WHERE name = changed.namespace
  ),
  marked AS (
    UPDATE memories SET pinned = $2::boolean FROM changed WHERE memories.sequence = changed.sequence
  )
  SELECT ${MEMORY_COLUMNS}, pinned = $2::boolean OR EXISTS (SELECT FROM changed) AS "isSet" FROM found`;

/** Must come after `lockMemoryCounter`, or after a statement that takes a number: then nobody else pins meanwhile. */
export function setPinned({ memoryId, pinned, limit }: Pin, { by, at }: Stamp): Statement {
  return { text: SET, values: [memoryId, pinned, limit, by, at] };
}

export async function writePin(database: Database, pin: Pin, stamp: Stamp): Promise<PinOutcome> {
  return database.readThenWrite<PinOutcome>([lockMemoryCounter, setPinned(pin, stamp)], ([, rows]) => {
    const outcome = outcomeOf(pin, rows as (MemoryRow & { readonly isSet: boolean })[]);
    return { statements: outcome.kind === "set" ? addDecisions([stamp.decision]) : [], outcome };
  });
}

function outcomeOf({ pinned }: Pin, [row]: (MemoryRow & { readonly isSet: boolean })[]): PinOutcome {
  if (row === undefined) return { kind: "not-found" };
  return row.isSet ? { kind: "set", memory: toMemory({ ...row, pinned }) } : { kind: "full" };
}
