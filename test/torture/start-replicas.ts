// Starts replicas of the service, each in a process of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ReplicaOptions } from "./replica.ts";

const REPLICA = fileURLToPath(new URL("replica.ts", import.meta.url));

export interface Replica {
  readonly url: string;
  readonly pid: number;
  /** Says how the process ended. Undefined while it runs. */
  ended(): string | undefined;
  /** Stops the process as a debugger does, or a machine that is suspended: it does nothing until it is resumed. */
  pause(): void;
  resume(): void;
  /** It is neither paused nor stopped. */
  isServing(): boolean;
  stop(): Promise<void>;
}

export async function startReplica(options: ReplicaOptions): Promise<Replica> {
  const child = spawn(process.execPath, [REPLICA, JSON.stringify(options)], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const first = once(createInterface(child.stdout), "line").then(([line]) => String(line));
  const url = await Promise.race([first, exited.then(() => undefined)]);
  if (url === undefined) throw new Error("The replica ended before it was ready.");
  const ended = () => (child.exitCode === null ? undefined : `The replica ended with ${child.exitCode}.`);
  let isServing = true;
  function signal(name: NodeJS.Signals): void {
    isServing = name === "SIGCONT";
    child.kill(name);
  }
  return {
    url,
    pid: child.pid ?? 0,
    ended,
    isServing: () => isServing,
    pause: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    async stop() {
      signal("SIGKILL");
      await exited;
    },
  };
}

export async function startReplicas(count: number, options: ReplicaOptions): Promise<readonly Replica[]> {
  return Promise.all(Array.from({ length: count }, () => startReplica(options)));
}
