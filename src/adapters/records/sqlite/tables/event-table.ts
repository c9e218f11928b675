import type { DatabaseSync } from "node:sqlite";
import { toEventRow } from "#adapters/records/shared/logs/events.ts";
import type { NewEvent } from "#ports.ts";

/** Writes to the event log. They must run inside the transaction of the change. */
export interface EventTable {
  add(event: NewEvent): void;
}

export function eventTable(database: DatabaseSync): EventTable {
  const insert = database.prepare("INSERT INTO events (at, kind, data) VALUES (?, ?, ?)");
  return {
    add(event) {
      const { at, kind, data } = toEventRow(event);
      insert.run(at, kind, data);
    },
  };
}
