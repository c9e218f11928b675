// Resets a database in a worker thread, on a connection of its own: to forget a million memories takes seconds, and on the
// connection of the service it would block the process for as long.
import { parentPort, Worker, workerData } from "node:worker_threads";
import { planReset, type Reset } from "#adapters/records/shared/reset.ts";
import { PortcullisError } from "#core/errors.ts";
import type { RecordLimits } from "#ports.ts";
import { openDatabase } from "./connection/open.ts";
import { type Runner, runPlan, statementRunner } from "./connection/sqlite-database.ts";

interface ResetOrder {
  readonly path: string;
  readonly tenant: number;
  readonly reset: Reset;
  readonly limits: RecordLimits;
}

/** An error of ours. Its class would be lost on the way to the other thread. */
type Refusal = Pick<PortcullisError, "code" | "message">;

/** Resolves when the reset is on disk. Nobody else may write meanwhile. */
export async function resetInWorker(order: ResetOrder): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { resetOrder: order }, execArgv: [] });
  try {
    await endOf(worker);
  } finally {
    await worker.terminate();
  }
}

function endOf(worker: Worker): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.on("message", ({ code, message }: Refusal) => reject(new PortcullisError(code, message)));
  worker.once("error", reject);
  worker.once("exit", (code) =>
    code === 0 ? resolve() : reject(new Error(`The worker that resets the database ended with ${code}.`)),
  );
  return promise;
}

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

const order: ResetOrder | undefined = workerData?.resetOrder;
if (order !== undefined) {
  try {
    runReset(order);
  } catch (error) {
    if (!(error instanceof PortcullisError)) throw error;
    const refusal: Refusal = { code: error.code, message: error.message };
    parentPort?.postMessage(refusal);
  }
}
