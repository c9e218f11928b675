// The real thing: `node src/main.ts` as a process of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly pid: number;
  /** Lines of standard output and of standard error, as far as they have come. */
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves with the first line of the log that has this message; rejects when the process ends without it. */
  logged(message: string): Promise<Record<string, unknown>>;
  /** Resolves with the service's address once it is ready. */
  ready(): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  readonly exited: Promise<Exit>;
}

/**
 * Starts the process in `cwd`, with this environment and no other. Killed when the test ends, if still there. One whose
 * files are limited gets an error when they grow beyond that, as on a full disk, instead of a signal.
 */
export function startChild(
  cwd: string,
  environment: Readonly<Record<string, string>>,
  { limitsFiles = false }: { limitsFiles?: boolean } = {},
): Child {
  // A signal that is ignored stays ignored in what `exec` begins.
  const [command, ...args] = limitsFiles
    ? ["/bin/sh", "-c", 'trap "" XFSZ; exec "$@"', "sh", process.execPath, MAIN]
    : [process.execPath, MAIN];
  const child = spawn(command as string, args, { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const exited = once(child, "close").then(([code, signal]): Exit => ({ code, signal }));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });

  function find(message: string): Record<string, unknown> | undefined {
    const complete = out.slice(0, out.lastIndexOf("\n") + 1);
    return complete
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line))
      .find(({ msg }) => msg === message);
  }

  function logged(message: string): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const line = find(message);
        if (line !== undefined) resolve(line);
      };
      child.stdout.on("data", look);
      child.once("close", () => reject(new Error(`The process ended without logging "${message}":\n${out}${err}`)));
      look();
    });
  }

  return {
    pid: child.pid ?? 0,
    out: () => out,
    err: () => err,
    logged,
    ready: async () => String((await logged("ready")).url),
    kill: (signal) => void child.kill(signal),
    exited,
  };
}
