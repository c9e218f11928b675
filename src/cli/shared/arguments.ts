import { readFile } from "node:fs/promises";
import { readUpTo } from "#async/read-up-to.ts";
import { type Invocation, UsageError } from "#cli/invocation.ts";
import type { CommandName } from "#cli/table/command-table.ts";
import { configurationError } from "#core/errors.ts";

/** More than any question or fact may have. */
const MOST_BYTES = 4_000_000;

/** The first argument, or what standard input has. */
export async function textArgument(
  { positionals, stdin }: Pick<Invocation<CommandName>, "positionals" | "stdin">,
  what: string,
): Promise<string> {
  const [given] = positionals;
  const text = given ?? (stdin.isTTY ? "" : await readInput(stdin));
  if (text.trim() !== "") return text;
  throw new UsageError(`Name one ${what}, or write it to standard input.`);
}

/** The text of the file that an option names. */
export const optionFile = (option: string, path: string): Promise<string> =>
  readFile(path, "utf8").catch((cause) => {
    throw configurationError(`The file of ${option} cannot be read.`, cause);
  });

async function readInput(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  const bytes = await readUpTo(MOST_BYTES, stdin);
  if (bytes === undefined) throw new UsageError("Standard input is too long.");
  // The line feed that `echo` adds is not part of the text.
  return bytes.toString().replace(/\r?\n$/, "");
}
