// The event log. An event is recorded in the transaction of its change, as the last step: the row of the counter stays
// locked until the commit, so a reader that has seen a sequence has seen all before it. Every transaction takes this lock
// last, so none can wait for another in a circle.
import type { Database, Statement } from "#adapters/records/postgres/connection/database.ts";
import { type EventRow, PRUNED_AT_ONCE, toEvent, toEventRow } from "#adapters/records/shared/logs/events.ts";
import type { EventPosition, EventRecords, NewEvent } from "#ports.ts";

const ADD = `
  WITH taken AS (UPDATE counters SET value = value + $1::bigint WHERE name = 'event' RETURNING value - $1::bigint AS start)
  INSERT INTO events (sequence, at, kind, data)
  SELECT start + place, at, kind, data
  FROM taken, ROWS FROM (json_to_recordset($2::json) AS (at text, kind text, data text))
    WITH ORDINALITY AS given (at, kind, data, place)`;

export function addEvents(events: readonly NewEvent[]): Statement[] {
  return events.length === 0 ? [] : [{ text: ADD, values: [events.length, JSON.stringify(events.map(toEventRow))] }];
}

/**
 * For a statement whose query `happened` gives rows of (at, data): records an event for each. It ends the list of CTEs
 * that defines `happened`.
 */
export const addEventsOf = (happened: string, kind: NewEvent["kind"]) => `
  counted AS (SELECT count(*) AS count FROM ${happened}),
  taken AS (
    UPDATE counters SET value = value + count FROM counted WHERE name = 'event' AND count > 0
    RETURNING value - count AS start
  )
  INSERT INTO events (sequence, at, kind, data)
  SELECT start + row_number() OVER (), at, '${kind}', data FROM taken, ${happened}`;

const POSITION: Statement = {
  text: `SELECT value AS head, coalesce((SELECT min(sequence) - 1 FROM events), value) AS floor
         FROM counters WHERE name = 'event'`,
  values: [],
};
const AFTER = "SELECT sequence, at, kind, data FROM events WHERE sequence > $1 ORDER BY sequence LIMIT $2";
// Only the oldest ones, up to the first that is not old: what is left then has no gap.
const PRUNE = `
  WITH oldest AS (SELECT sequence, at FROM events ORDER BY sequence LIMIT ${PRUNED_AT_ONCE}),
  gone AS (
    DELETE FROM events WHERE sequence < (
      SELECT coalesce(min(sequence) FILTER (WHERE at >= $1), max(sequence) + 1) FROM oldest) RETURNING 1
  )
  SELECT count(*) AS count FROM gone`;

export function eventRecords(database: Database): EventRecords {
  return {
    position: async () => (await database.row<EventPosition>(POSITION)) as EventPosition,
    after: async ({ after, limit }) =>
      (await database.rows<EventRow>({ text: AFTER, values: [after, limit] })).map(toEvent),
    prune: async (before) => (await database.row<{ count: number }>({ text: PRUNE, values: [before] }))?.count ?? 0,
  };
}
