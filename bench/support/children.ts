// Child processes that never outlive the bench: each is ended by its own id, at the latest when the bench exits.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface Child {
  readonly pid: number;
  /** Why it ended, or undefined while it runs. */
  ended(): string | undefined;
  /** Resolves when it has ended by itself. */
  finished(): Promise<void>;
  /** SIGTERM, and SIGKILL when that does not do. */
  stop(): Promise<void>;
}

interface ChildOptions {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 5_000;
const running = new Set<ChildProcess>();

/** Runs this same Node. The child sees none of our environment: what is set here must not change what is measured. */
export function startNode({ args, cwd, env = {} }: ChildOptions): Child {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  running.add(child);
  const exited = once(child, "exit");
  exited.then(
    () => running.delete(child),
    () => running.delete(child),
  );
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2_000);
  });

  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid ?? 0,
    ended: () => (isOver() ? `${args.join(" ")} ended with ${child.exitCode ?? child.signalCode}. ${said}` : undefined),
    async finished() {
      await exited;
    },
    async stop() {
      if (isOver()) return;
      child.kill("SIGTERM");
      const impatience = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
      await exited;
      clearTimeout(impatience);
    },
  };
}

/** For the last moment, when nothing can be waited for. */
export function killChildren(): void {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
}
