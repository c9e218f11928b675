// Resets a database in a worker thread, on a connection of its own: to read all receipts and to forget a million memories
// takes seconds, and on the connection of the service it would block the process for as long. The receipts are read
// before the reset begins, while others write.
import { once } from "node:events";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { openDatabase } from "#adapters/records/sqlite/connection/open.ts";
import { PortcullisError } from "#core/errors.ts";
import type { RecordLimits } from "#ports.ts";
import { applyReset, type Reset, tablesOf } from "./tables.ts";

interface ResetOrder {
  readonly path: string;
  readonly reset: Reset;
  readonly limits: RecordLimits;
}

/** An error of ours. Its class would be lost on the way to the other thread. */
type Refusal = Pick<PortcullisError, "code" | "message">;

type Message = { readonly kind: "prepared" } | { readonly kind: "refused"; readonly refusal: Refusal };

/** Runs `whenPrepared` once the receipts are read. It gets what applies the reset, when nobody else may write. */
export async function resetInWorker(
  order: ResetOrder,
  whenPrepared: (apply: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { resetOrder: order }, execArgv: [] });
  const ended = endOf(worker);
  ended.catch(() => undefined);
  try {
    await Promise.race([once(worker, "message"), ended]);
    await whenPrepared(() => {
      worker.postMessage("apply");
      return ended;
    });
  } finally {
    await worker.terminate();
  }
}

/** Resolves when the reset is on disk. */
function endOf(worker: Worker): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.on("message", (message: Message) => {
    if (message.kind === "refused") reject(new PortcullisError(message.refusal.code, message.refusal.message));
  });
  worker.once("error", reject);
  worker.once("exit", (code) =>
    code === 0 ? resolve() : reject(new Error(`The worker that resets the database ended with ${code}.`)),
  );
  return promise;
}

async function runReset({ path, reset, limits }: ResetOrder): Promise<void> {
  const database = openDatabase(path);
  try {
    const tables = tablesOf(database, limits);
    const named = tables.proofFacts.named();
    tell({ kind: "prepared" });
    if (parentPort !== null) await once(parentPort, "message");
    // Other programs may hold the file for moments. Waiting here blocks only this thread.
    database.exec("PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE");
    applyReset(tables, reset, named);
    // Otherwise the next commit of the service would move all these pages from the log to the file.
    database.exec("COMMIT; PRAGMA wal_checkpoint(PASSIVE)");
  } finally {
    database.close();
  }
}

const tell = (message: Message) => parentPort?.postMessage(message);

const order: ResetOrder | undefined = workerData?.resetOrder;
if (order !== undefined) {
  try {
    await runReset(order);
  } catch (error) {
    if (!(error instanceof PortcullisError)) throw error;
    tell({ kind: "refused", refusal: { code: error.code, message: error.message } });
  }
}
