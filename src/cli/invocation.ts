// What a command gets: its options and arguments, and the only ways in and out. Tests give their own.
import type { Readable } from "node:stream";
import type { parseArgs } from "node:util";
import type { CommandName, commands } from "./table/command-table.ts";
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

type Values<N extends CommandName> = ReturnType<
  typeof parseArgs<{ options: (typeof commands)[N]["options"] }>
>["values"];

export interface Invocation<N extends CommandName> extends Streams {
  readonly values: Values<N>;
  readonly positionals: readonly string[];
  /** Prints to standard output, made safe. */
  print(text: string): Promise<void>;
  /** Prints to standard error, made safe. */
  say(text: string): Promise<void>;
  json(value: unknown): Promise<void>;
}

/** What each command does. It gives the exit code, if it is not 0. */
export type Runs<N extends CommandName> = {
  readonly [K in N]: (invocation: Invocation<K>) => Promise<number | undefined>;
};

/** The command line is not right. The message says what to write. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
