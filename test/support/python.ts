// Finds a Python that has what the client needs; on Debian it is installed, for whoever may.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { canInstall, installPackages } from "../browser/support/debian-packages.ts";

const ROOT = fileURLToPath(new URL("../../clients/python", import.meta.url));
const NEEDED = "import sys, anyio, httpx, pydantic; assert sys.version_info >= (3, 10)";

export const NO_PYTHON =
  "This needs Python 3.10 with httpx and pydantic. On Debian: apt-get install python3-httpx python3-pydantic";

const isReady = (python: string): boolean => spawnSync(python, ["-c", NEEDED], { stdio: "ignore" }).status === 0;
const ready = () => ["python3", "/usr/bin/python3"].find(isReady);

let asked: Promise<string | undefined> | undefined;

/** Undefined where there is none. Debian's has pydantic 1.10. */
export function findPython(): Promise<string | undefined> {
  asked ??= findOrInstall();
  return asked;
}

async function findOrInstall(): Promise<string | undefined> {
  const found = ready();
  if (found !== undefined || !canInstall()) return found;
  // Without a network there is none.
  await installPackages("python3-httpx", "python3-pydantic").catch(() => undefined);
  return ready();
}

/** What Python needs to import the client from its sources. */
export const PYTHON_ENVIRONMENT = {
  PYTHONPATH: `${ROOT}/src`,
  PYTHONDONTWRITEBYTECODE: "1",
} as const;

interface PythonRun {
  readonly python: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export function startPython({ python, args, environment }: PythonRun, errors: "pipe" | "inherit") {
  return spawn(python, args, {
    cwd: ROOT,
    // biome-ignore lint/style/noProcessEnv: Python needs the path, and where its home is.
    env: { ...process.env, ...PYTHON_ENVIRONMENT, ...environment },
    stdio: ["pipe", "pipe", errors],
  }) as ChildProcessWithoutNullStreams;
}

export async function runPython(run: PythonRun): Promise<{ code: number | null; out: string }> {
  const child = startPython(run, "pipe");
  child.stdin.end();
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("close", resolve).once("error", reject);
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), promise]);
  return { code, out: out + err };
}
