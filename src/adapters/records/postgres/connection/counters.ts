import type { Statement } from "./database.ts";

/** Answers with `Counters`. Both are read in one statement, so as of one moment. */
export const readCounters: Statement = {
  text: `SELECT (SELECT value FROM counters WHERE name = 'memory') AS memory,
                (SELECT value FROM counters WHERE name = 'policy') AS policy`,
  values: [],
};

/**
 * A statement of its own, before memories are read: afterwards nobody can add, forget or pin one until the transaction
 * ends, and the next statement sees all that was done before.
 */
export const lockMemoryCounter: Statement = {
  text: "SELECT FROM counters WHERE name = 'memory' FOR UPDATE",
  values: [],
};
