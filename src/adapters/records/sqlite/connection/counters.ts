import type { DatabaseSync } from "node:sqlite";

type CounterName = "memory" | "policy";

/** Numbers that only grow. Advance them inside the transaction of the change that they number. */
export interface Counters {
  value(name: CounterName): number;
  /** Both in one statement, so of one moment. */
  both(): { memory: number; policy: number };
  advance(name: CounterName, by: number): number;
  next(name: CounterName): number;
}

export function counterTable(database: DatabaseSync): Counters {
  const read = database.prepare("SELECT value FROM counters WHERE name = ?");
  const readBoth = database.prepare(
    `SELECT (SELECT value FROM counters WHERE name = 'memory') AS memory,
            (SELECT value FROM counters WHERE name = 'policy') AS policy`,
  );
  const add = database.prepare("UPDATE counters SET value = value + :by WHERE name = :name RETURNING value");
  const advance = (name: CounterName, by: number) => Number(add.get({ name, by })?.value);

  return {
    value: (name) => Number(read.get(name)?.value),
    both: () => readBoth.get() as { memory: number; policy: number },
    advance,
    next: (name) => advance(name, 1),
  };
}
