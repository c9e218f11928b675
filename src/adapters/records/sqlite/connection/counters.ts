import type { DatabaseSync } from "node:sqlite";
import type { Counters } from "#adapters/records/shared/memories/change-feed.ts";

/** Numbers that only grow. Advance one inside the transaction of the change that it numbers. */
export interface CounterTable {
  value(name: keyof Counters): number;
  /** All in one statement, so as of one moment. */
  all(): Counters;
  /** The same from a mirror in memory, as far as there can be one. For the fence, which every chat passes twice. */
  mirrored(): Counters;
  /** Answers with the new value. */
  advance(name: keyof Counters, by?: number): number;
  /** Runs `job`, which may advance the counters on another connection. */
  whileOthersWrite<T>(job: () => Promise<T>): Promise<T>;
}

/**
 * `isOnlyWriter` says that nobody else advances the counters of this file, except during `whileOthersWrite`. Only then is
 * there a mirror.
 *
 * The mirror cannot be out of date. It is dropped by the statement that advances a counter, before the transaction ends,
 * and a read fills it again only outside of transactions. So it does not matter whether that transaction is committed,
 * rolled back, or broken off by a failure.
 */
export function counterTable(
  database: DatabaseSync,
  { isOnlyWriter = false }: { isOnlyWriter?: boolean } = {},
): CounterTable {
  const read = database.prepare("SELECT value FROM counters WHERE name = ?");
  const readAll = database.prepare(
    `SELECT (SELECT value FROM counters WHERE name = 'memory') AS memory,
            (SELECT value FROM counters WHERE name = 'removal') AS removal,
            (SELECT value FROM counters WHERE name = 'policy') AS policy`,
  );
  const add = database.prepare("UPDATE counters SET value = value + :by WHERE name = :name RETURNING value");
  const all = () => readAll.get() as unknown as Counters;
  let mirror: Counters | undefined;
  let otherWriters = 0;

  return {
    value: (name) => Number(read.get(name)?.value),
    all,
    mirrored() {
      if (!isOnlyWriter || otherWriters > 0 || database.isTransaction) return all();
      mirror ??= all();
      return mirror;
    },
    advance(name, by = 1) {
      mirror = undefined;
      return Number(add.get({ name, by })?.value);
    },
    async whileOthersWrite(job) {
      mirror = undefined;
      otherWriters += 1;
      try {
        return await job();
      } finally {
        otherWriters -= 1;
      }
    },
  };
}
