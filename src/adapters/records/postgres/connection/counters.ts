import type { Statement } from "./database.ts";

/** The columns of `Counters`. */
export const COUNTERS = `(SELECT value FROM counters WHERE name = 'memory') AS memory,
  (SELECT value FROM counters WHERE name = 'removal') AS removal,
  (SELECT value FROM counters WHERE name = 'policy') AS policy`;

/** Answers with `Counters`. All are read in one statement, so as of one moment. */
export const readCounters: Statement = { text: `SELECT ${COUNTERS}`, values: [] };

/** After it, the fence looks up the memories of every older read set. */
export const countRemoval: Statement = {
  text: "UPDATE counters SET value = value + 1 WHERE name = 'removal'",
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
