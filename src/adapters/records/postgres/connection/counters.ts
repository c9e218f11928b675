import type { Statement } from "./database.ts";

export interface Counters {
  readonly memory: number;
  readonly policy: number;
}

/** Both in one statement, so of one moment. */
export const readCounters: Statement = {
  text: `SELECT (SELECT value FROM counters WHERE name = 'memory') AS memory,
                (SELECT value FROM counters WHERE name = 'policy') AS policy`,
  values: [],
};
