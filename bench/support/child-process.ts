// Child processes that never outlive the bench: each is killed at the latest when the bench exits.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface Child {
  readonly pid: number;
  /** Why the process ended; undefined while it runs. */
  ended(): string | undefined;
  /** Resolves when the process has ended by itself. */
  finished(): Promise<void>;
  /** Sends SIGTERM, and SIGKILL if the process does not end in time. */
  stop(): Promise<void>;
}

interface ChildOptions {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

const TERM_TIMEOUT_MS = 5_000;
const running = new Set<ChildProcess>();

/** Runs the same Node. The child gets none of our environment, so that ours does not change what is measured. */
export function startNode({ args, cwd, env = {} }: ChildOptions): Child {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  running.add(child);
  const exited = once(child, "exit");
  exited.then(
    () => running.delete(child),
    () => running.delete(child),
  );
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-2_000);
  });

  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid ?? 0,
    ended: () =>
      isOver() ? `${args.join(" ")} ended with ${child.exitCode ?? child.signalCode}. ${stderr}` : undefined,
    async finished() {
      await exited;
    },
    async stop() {
      if (isOver()) return;
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), TERM_TIMEOUT_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** For the exit handler, which cannot wait. */
export function killChildren(): void {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
}
