import { createInterface } from "node:readline/promises";
import type { Streams } from "#cli/invocation.ts";

/** Asks on a terminal whether to go on. Where nobody can be asked, the caller meant what it said. */
export async function confirm({ stdin, err, signal }: Streams, question: string): Promise<boolean> {
  if (!stdin.isTTY || !err.isTerminal) return true;
  await err.write(`${question} Type yes to go on: `);
  const lines = createInterface({ input: stdin, terminal: false });
  try {
    for await (const line of lines) {
      signal.throwIfAborted();
      return line.trim().toLowerCase() === "yes";
    }
    return false;
  } finally {
    lines.close();
  }
}
