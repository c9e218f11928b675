import type { DatabaseSync } from "node:sqlite";
import { type Counters, READ_COUNTERS } from "#adapters/records/shared/change-feed.ts";

export type CounterTable = ReturnType<typeof counterTable>;

/** Numbers that only grow. Advance one inside the transaction of the change that it numbers. */
export function counterTable(database: DatabaseSync) {
  const read = database.prepare("SELECT value FROM counters WHERE name = ?");
  const readBoth = database.prepare(READ_COUNTERS.text);
  const add = database.prepare("UPDATE counters SET value = value + :by WHERE name = :name RETURNING value");

  return {
    value: (name: keyof Counters) => Number(read.get(name)?.value),
    both: () => readBoth.get() as unknown as Counters,
    /** Answers with the new value. */
    advance: (name: keyof Counters, by = 1) => Number(add.get({ name, by })?.value),
  };
}
