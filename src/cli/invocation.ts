// What a command gets: its options and arguments, and the only ways in and out. Tests give their own.
import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { readTextUpTo } from "#core/encoding/read-up-to.ts";
import { configurationError } from "#core/errors.ts";
import type { SERVICE, Values } from "./table/command.ts";
import type { CommandName, commands } from "./table/command-table.ts";
import { UsageError } from "./table/option-values.ts";
import type { Output } from "./terminal/output.ts";

export interface ClientEnvironment {
  readonly url: string | undefined;
  readonly key: string | undefined;
}

export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly out: Output;
  readonly err: Output;
  readonly signal: AbortSignal;
  /** For commands that talk to a service: of the process alone. */
  readonly clientEnvironment: () => ClientEnvironment;
  /** For commands that work on the database: with the file `.env`, as the service reads it. */
  readonly serviceEnvironment: () => Promise<Readonly<Record<string, string | undefined>>>;
}

type ValuesOf<N extends CommandName> = Values<(typeof commands)[N]["options"]>;

export interface Invocation<N extends CommandName> extends Streams {
  readonly values: ValuesOf<N>;
  /** The values that say what is wanted, and not which service is to do it, or how to print it. */
  readonly wanted: Omit<ValuesOf<N>, keyof Values<typeof SERVICE>>;
  readonly positionals: readonly string[];
  /** Prints to standard output, made safe. */
  print(text: string): Promise<undefined>;
  /** Prints to standard error, made safe. */
  say(text: string): Promise<undefined>;
  json(value: unknown): Promise<undefined>;
  /** With `--json` the value, else the words for people, in their order: to standard output and to standard error. */
  tell(value: unknown, words: { readonly print?: string; readonly say?: string }): Promise<undefined>;
}

/** What each command does. It gives the exit code, if it is not 0. */
export type Runs<N extends CommandName> = {
  readonly [K in N]: (invocation: Invocation<K>) => Promise<number | undefined>;
};

export { UsageError };

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
  const text = await readTextUpTo(MOST_BYTES, stdin);
  if (text === undefined) throw new UsageError("Standard input is too long.");
  // The line feed that `echo` adds is not part of the text.
  return text.replace(/\r?\n$/, "");
}
