import type { DatabaseSync } from "node:sqlite";

/** How many there are of something, kept so that nothing has to be counted. Change a total with what it counts. */
export interface TotalTable {
  value(name: TotalName): number;
  /** Answers with the new total. */
  add(name: TotalName, by: number): number;
  clear(name: TotalName): void;
}

type TotalName = "namespaces" | "leaves";

export function totalTable(database: DatabaseSync): TotalTable {
  const read = database.prepare("SELECT value FROM totals WHERE name = ?");
  const add = database.prepare("UPDATE totals SET value = value + :by WHERE name = :name RETURNING value");
  const clear = database.prepare("UPDATE totals SET value = 0 WHERE name = ?");
  return {
    value: (name) => Number(read.get(name)?.value),
    add: (name, by) => Number(add.get({ name, by })?.value),
    clear: (name) => void clear.run(name),
  };
}
