import type { DatabaseSync } from "node:sqlite";
import type { Counters } from "#adapters/records/shared/change-feed.ts";

/** Numbers that only grow. Advance one inside the transaction of the change that it numbers. */
export interface CounterTable {
  value(name: keyof Counters): number;
  /** Both in one statement, so as of one moment. */
  both(): Counters;
  /** Answers with the new value. */
  advance(name: keyof Counters, by?: number): number;
}

export function counterTable(database: DatabaseSync): CounterTable {
  const read = database.prepare("SELECT value FROM counters WHERE name = ?");
  const readBoth = database.prepare(
    `SELECT (SELECT value FROM counters WHERE name = 'memory') AS memory,
            (SELECT value FROM counters WHERE name = 'policy') AS policy`,
  );
  const add = database.prepare("UPDATE counters SET value = value + :by WHERE name = :name RETURNING value");

  return {
    value: (name) => Number(read.get(name)?.value),
    both: () => readBoth.get() as unknown as Counters,
    advance: (name, by = 1) => Number(add.get({ name, by })?.value),
  };
}
