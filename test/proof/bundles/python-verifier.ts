// verifiers/python/verify.py as a process that takes a case a line. It is there where Python is.
import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";

export const VERIFY_PY = fileURLToPath(new URL("../../../verifiers/python/verify.py", import.meta.url));

/** Python 3.10 or later, under the name that most systems have for it. */
export const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]).status === 0;

export interface Judged {
  readonly verdict: string;
  readonly checks: readonly {
    readonly name: string;
    readonly index?: number;
    readonly status: string;
    readonly code?: string;
  }[];
}

export interface PythonCase {
  readonly bundle: unknown;
  readonly nowMs: number;
  readonly trusted?: unknown;
  /** A policy of witnesses, and a checkpoint that the reader has seen. */
  readonly witnesses?: string | undefined;
  readonly checkpoint?: string | undefined;
}

/** Runs one process for all cases. The lines of a case and of its result stay in their order. */
export async function judgeInPython(cases: Iterable<PythonCase>): Promise<Judged[]> {
  const python = spawn("python3", [VERIFY_PY, "--lines"], { stdio: ["pipe", "pipe", "inherit"] });
  const results: Judged[] = [];
  const reading = (async () => {
    for await (const line of createInterface({ input: python.stdout })) results.push(JSON.parse(line) as Judged);
  })();
  const lines = Readable.from(
    (function* () {
      for (const one of cases) yield `${JSON.stringify(one)}\n`;
    })(),
  );
  await Promise.all([pipeline(lines, python.stdin), reading]);
  return results;
}

/** What both verifiers say, without the sentences. */
export const codesOf = ({ verdict, checks }: Judged): Judged => ({
  verdict,
  checks: checks.map(({ name, index, status, code }) => ({
    name,
    ...(index !== undefined && { index }),
    status,
    ...(code !== undefined && { code }),
  })),
});
