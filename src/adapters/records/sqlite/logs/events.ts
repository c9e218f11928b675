import { type EventRow, PRUNED_AT_ONCE, toEvent } from "#adapters/records/shared/logs/events.ts";
import type { Connection } from "#adapters/records/sqlite/connection/connection.ts";
import type { EventPosition, EventRecords } from "#ports.ts";

/** One process writes one commit after another, so the sequences of SQLite are in the order of commits. */
export function eventRecords({ database, read, writeFromReserve: write }: Connection): EventRecords {
  const position = database.prepare(
    `SELECT head, coalesce((SELECT min(sequence) - 1 FROM events), head) AS floor
     FROM (SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0) AS head)`,
  );
  const pageAfter = database.prepare(
    "SELECT sequence, at, kind, data FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?",
  );
  // Only the oldest ones, up to the first that is not old: what is left then has no gap.
  const prune = database.prepare(
    `DELETE FROM events WHERE sequence <
       (SELECT coalesce(min(CASE WHEN at >= ? THEN sequence END), max(sequence) + 1)
        FROM (SELECT sequence, at FROM events ORDER BY sequence LIMIT ${PRUNED_AT_ONCE}))`,
  );

  return {
    position: () => read(() => position.get() as unknown as EventPosition),
    after: ({ after, limit }) => read(() => (pageAfter.all(after, limit) as unknown as EventRow[]).map(toEvent)),
    prune: (before) => write(() => Number(prune.run(before).changes)),
  };
}
