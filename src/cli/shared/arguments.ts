import { type Invocation, UsageError } from "#cli/invocation.ts";
import type { CommandName } from "#cli/table/command-table.ts";

/** More than any question or fact may have. */
const MOST_BYTES = 4_000_000;

/** The first argument, or what standard input has. */
export async function textArgument(
  { positionals, stdin }: Pick<Invocation<CommandName>, "positionals" | "stdin">,
  what: string,
): Promise<string> {
  const [given] = positionals;
  const text = given ?? (stdin.isTTY ? "" : await readAll(stdin));
  if (text.trim() !== "") return text;
  throw new UsageError(`Name one ${what}, or write it to standard input.`);
}

async function readAll(stdin: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    chunks.push(Buffer.from(chunk));
    bytes += chunks.at(-1)?.length ?? 0;
    if (bytes > MOST_BYTES) throw new UsageError("Standard input is too long.");
  }
  // The line feed that `echo` adds is not part of the text.
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/\r?\n$/, "");
}
