// The real service as a process of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { SERVICE_MAIN } from "./built-service.ts";
import { COMPILE_CACHE } from "./compile-cache.ts";

const EXIT_WITH_PARENT = new URL("./exit-with-parent.ts", import.meta.url).href;
const COMMAND = [process.execPath, "--import", EXIT_WITH_PARENT, SERVICE_MAIN];

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ServiceProcess {
  readonly pid: number;
  /** All that the process has written so far to standard output, and to standard error. */
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves with the first line of the log that has this message. Rejects when the process ends without it. */
  logged(message: string): Promise<Record<string, unknown>>;
  /** Resolves with the service's address once it is ready. */
  ready(): Promise<string>;
  /** Sends the signal, and resolves when the process has ended. */
  kill(signal: NodeJS.Signals): Promise<Exit>;
  readonly hasExited: () => boolean;
  readonly exited: Promise<Exit>;
}

interface ServiceProcessOptions {
  /** With this, a write beyond the limit of a file's size fails as on a full disk. Otherwise it ends the process. */
  readonly limitsFiles?: boolean;
  readonly umask?: number;
  /** What starts the service, and gets its command as further arguments. */
  readonly launcher?: readonly string[];
  /** Another command than the service of this clone. */
  readonly command?: readonly string[];
  /** The user that the process runs as. Only root can say so. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/** Starts the service in `cwd`, with this environment, the compile cache and nothing else. */
export function startServiceProcess(
  cwd: string,
  environment: Readonly<Record<string, string>>,
  { limitsFiles = false, umask, launcher = [], command: given = COMMAND, owner }: ServiceProcessOptions = {},
): ServiceProcess {
  // A signal that the shell ignores stays ignored in the program that `exec` starts.
  const trap = limitsFiles ? ["/bin/sh", "-c", 'trap "" XFSZ; exec "$@"', "sh"] : [];
  const mask = umask === undefined ? [] : ["/bin/sh", "-c", `umask ${umask.toString(8)}; exec "$@"`, "sh"];
  const [command = "", ...args] = [...launcher, ...trap, ...mask, ...given];
  const child = spawn(command, args, { cwd, env: { ...COMPILE_CACHE, ...environment }, stdio: "pipe", ...owner });
  // A process that was killed may close its standard input with an error.
  child.stdin.on("error", () => undefined);
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  let hasExited = false;
  const exited = once(child, "close").then(([code, signal]): Exit => {
    hasExited = true;
    return { code, signal };
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
      function look(): void {
        const line = find(message);
        if (line === undefined) return;
        child.stdout.off("data", look);
        resolve(line);
      }
      child.stdout.on("data", look);
      look();
      exited.then(() => reject(new Error(`The process ended without logging "${message}":\n${out}${err}`)), reject);
    });
  }

  return {
    pid: child.pid ?? 0,
    out: () => out,
    err: () => err,
    logged,
    ready: async () => String((await logged("ready")).url),
    kill(signal) {
      child.kill(signal);
      return exited;
    },
    hasExited: () => hasExited,
    exited,
  };
}

/** As `startServiceProcess`, for one test: the process is killed when the test ends. */
export function serviceProcessForTest(...args: Parameters<typeof startServiceProcess>): ServiceProcess {
  const service = startServiceProcess(...args);
  onTestFinished(async () => void (await service.kill("SIGKILL")));
  return service;
}
