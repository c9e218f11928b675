// Runs the Move compiler and VM (Sui's own, in WebAssembly) in a child process: they compute for seconds without a
// pause, and a Move test that never ends can only be stopped from outside. It is not a thread: V8 has been seen to crash
// the whole process when a thread is terminated while it compiles WebAssembly.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Answer, Job } from "./compiler-process.ts";

const SCRIPT = fileURLToPath(new URL("./compiler-process.ts", import.meta.url));

/** Compiles or tests. Rejects at the deadline, and when the compiler itself fails. */
export function compile<Kind extends Job["kind"]>(
  job: Job & { kind: Kind },
  deadlineMs = 300_000,
): Promise<Answer<Kind>> {
  const child = fork(SCRIPT, {
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return new Promise<Answer<Kind>>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the Move compiler and VM did not finish within ${deadlineMs / 1000} s`)),
      deadlineMs,
    );
    child.once("message", (answer) => resolve(answer as Answer<Kind>));
    child.once("error", reject);
    child.once("exit", () => reject(new Error("the Move compiler ended without an answer")));
    child.once("exit", () => clearTimeout(timer));
    child.send(job);
  }).finally(() => child.kill("SIGKILL"));
}
