import { createInterface } from "node:readline/promises";
import type { Streams } from "#cli/invocation.ts";

export const isAtTerminal = ({ stdin, err }: Pick<Streams, "stdin" | "err">): boolean =>
  Boolean(stdin.isTTY) && err.isTerminal;

/** Asks on a terminal whether to go on. Where nobody can be asked, the caller meant what it said. */
export async function confirm(streams: Streams, question: string, word = "yes"): Promise<boolean> {
  const { stdin, err, signal } = streams;
  if (!isAtTerminal(streams)) return true;
  await err.write(`${question} Type ${word} to go on: `);
  const lines = createInterface({ input: stdin, terminal: false });
  try {
    for await (const line of lines) {
      signal.throwIfAborted();
      return line.trim().toLowerCase() === word.toLowerCase();
    }
    return false;
  } finally {
    lines.close();
  }
}
