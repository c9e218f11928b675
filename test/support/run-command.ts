// A command of src/cli as a process of its own, as an operator runs it.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { COMPILE_CACHE } from "./compile-cache.ts";

export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export async function runCommand(
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<CommandResult> {
  const script = fileURLToPath(new URL(`../../src/cli/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...COMPILE_CACHE, ...environment },
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("close", resolve).once("error", reject);
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), promise]);
  return { code, out, err };
}
