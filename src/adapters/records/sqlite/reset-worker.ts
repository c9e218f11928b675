// Resets a database in a worker thread, on a connection of its own: to forget a million memories takes seconds, and on the
// connection of the service it would block the process for as long.
import { planReset, type Reset } from "#adapters/records/shared/reset.ts";
import type { RecordLimits } from "#ports.ts";
import { openDatabase } from "./connection/open.ts";
import { type Runner, runPlan, statementRunner } from "./connection/sqlite-database.ts";
import { runJob, serveJob } from "./worker-job.ts";

interface ResetOrder {
  readonly path: string;
  readonly tenant: number;
  readonly reset: Reset;
  readonly limits: RecordLimits;
}

/** Resolves when the reset is on disk. Nobody else may write meanwhile. */
export const resetInWorker = (order: ResetOrder): Promise<void> => runJob(new URL(import.meta.url), "reset", order);

/** Must run inside a transaction. */
export function applyReset(runner: Runner, reset: Reset, limits: RecordLimits): void {
  const { before, reads, decide } = planReset(reset, limits);
  for (const statement of before) runner.run(statement);
  runPlan(runner, reads, decide);
}

function runReset({ path, tenant, reset, limits }: ResetOrder): void {
  const database = openDatabase(path);
  try {
    // Other programs may hold the file for moments. Waiting here blocks only this thread.
    database.exec("PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE");
    const runner = statementRunner(database, () => new Date(reset.stamp.at));
    applyReset({ ...runner, run: (statement) => runner.run({ ...statement, tenant }) }, reset, limits);
    // Otherwise the next commit of the service would move all these pages from the log to the file.
    database.exec("COMMIT; PRAGMA wal_checkpoint(PASSIVE)");
  } finally {
    database.close();
  }
}

serveJob("reset", runReset);
