// Jobs that would block the process for seconds. Each runs in a thread of its own, in the module that begins it.
import { parentPort, Worker, workerData } from "node:worker_threads";
import { PortcullisError } from "#core/errors.ts";

interface Message {
  /** An error of ours. Its class would be lost on the way to the other thread. */
  readonly refusal?: Pick<PortcullisError, "code" | "message">;
  readonly progress?: number;
}

/**
 * Loads the module in a thread, where `serveJob` finds the order under this name. Resolves at the end of the job. The module
 * makes the URL of itself, by which the bundle knows that it needs an entry (scripts/bundle.ts).
 */
export async function runJob(
  module: URL,
  name: string,
  order: object,
  onProgress: (progress: number) => void = () => undefined,
): Promise<void> {
  const worker = new Worker(module, { workerData: { [name]: order }, execArgv: [] });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.on("message", ({ refusal, progress }: Message) => {
    if (refusal !== undefined) reject(new PortcullisError(refusal.code, refusal.message));
    else if (progress !== undefined) onProgress(progress);
  });
  worker.once("error", reject);
  worker.once("exit", (code) =>
    code === 0 ? resolve() : reject(new Error(`The worker of ${name} ended with ${code}.`)),
  );
  await promise.finally(() => worker.terminate());
}

/** Runs the job, if this is its thread. */
export function serveJob<Order>(
  name: string,
  job: (order: Order, onProgress: (progress: number) => void) => void,
): void {
  const order: Order | undefined = workerData?.[name];
  if (order === undefined) return;
  const post = (message: Message) => parentPort?.postMessage(message);
  try {
    job(order, (progress) => post({ progress }));
  } catch (error) {
    if (!(error instanceof PortcullisError)) throw error;
    post({ refusal: { code: error.code, message: error.message } });
  }
}
