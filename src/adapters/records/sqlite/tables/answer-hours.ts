import type { DatabaseSync } from "node:sqlite";
import type { HourOfAnswers } from "#ports.ts";

/** Counts answers by the hour. Must run inside a transaction. */
export function hourTable(database: DatabaseSync) {
  const add = database.prepare(
    `INSERT INTO answer_hours (hour, answers, used, verified, intact, broken_off) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET answers = answers + excluded.answers, used = used + excluded.used,
       verified = verified + excluded.verified, intact = intact + excluded.intact,
       broken_off = broken_off + excluded.broken_off`,
  );
  return {
    add(createdAt: string, counts: Partial<Omit<HourOfAnswers, "hour">>): void {
      const { answers = 0, used = 0, verified = 0, intact = 0, brokenOff = 0 } = counts;
      add.run(createdAt.slice(0, 13), answers, used, verified, intact, brokenOff);
    },
  };
}
