// The command `portcullis` as a process of its own, as an operator runs it.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { COMMAND_MAIN } from "./built-service.ts";
import { COMPILE_CACHE } from "./compile-cache.ts";

export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** `name` can be two words: `keys create`. */
export async function runCommand(
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [COMMAND_MAIN, ...name.split(" "), ...args], {
    env: { ...COMPILE_CACHE, ...environment },
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("close", resolve).once("error", reject);
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), promise]);
  return { code, out, err };
}
