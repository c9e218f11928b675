// The Move compiler and VM (Sui's own, in WebAssembly), in a thread of their own: they compute for seconds without a
// pause, and a Move test that never ends could not be stopped from the thread that it runs in.
import { Worker } from "node:worker_threads";
import type { Answer, Job } from "./compiler-thread.ts";

/** Compiles or tests, and throws when it takes longer than the deadline or the compiler itself fails. */
export function compile<Kind extends Job["kind"]>(
  job: Job & { kind: Kind },
  deadlineMs = 300_000,
): Promise<Answer<Kind>> {
  const thread = new Worker(new URL("./compiler-thread.ts", import.meta.url), { workerData: job, execArgv: [] });
  return new Promise<Answer<Kind>>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`the Move compiler and VM did not finish within ${deadlineMs / 1000} s`)),
      deadlineMs,
    );
    thread.once("message", (answer: Answer<Kind>) => resolve(answer));
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("the Move compiler ended without an answer")));
    thread.once("exit", () => clearTimeout(late));
  }).finally(() => thread.terminate());
}
