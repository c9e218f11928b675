import type { Statement } from "./database.ts";

/** Answers with `Counters`. Both are read in one statement, so as of one moment. */
export const readCounters: Statement = {
  text: `SELECT (SELECT value FROM counters WHERE name = 'memory') AS memory,
                (SELECT value FROM counters WHERE name = 'policy') AS policy`,
  values: [],
};
