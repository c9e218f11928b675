// What a command gets: its options and arguments, and the only ways in and out. Tests give their own.
import type { Readable } from "node:stream";
import type { Values } from "./parse-command.ts";
import type { CommandName } from "./table/command-table.ts";
import type { Output } from "./terminal/output.ts";

export interface ClientEnvironment {
  /** The values of PORTCULLIS_URL and PORTCULLIS_KEY. */
  readonly url: string | undefined;
  readonly key: string | undefined;
}

export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly out: Output;
  readonly err: Output;
  /** Aborts with Ctrl-C. */
  readonly signal: AbortSignal;
  /** For commands that talk to a service: of the process alone. */
  readonly clientEnvironment: () => ClientEnvironment;
  /** For commands that work on the database: with the file `.env`, as the service reads it. */
  readonly serviceEnvironment: () => Promise<Readonly<Record<string, string | undefined>>>;
}

export interface Invocation<N extends CommandName> extends Streams {
  readonly values: Values<N>;
  readonly positionals: readonly string[];
  /** Prints to standard output, made safe. */
  print(text: string): Promise<void>;
  /** Prints to standard error, made safe. */
  say(text: string): Promise<void>;
  /** Prints a JSON value to standard output, on one line. */
  json(value: unknown): Promise<void>;
}

/** Gives the exit code, if it is not 0. */
export type Run<N extends CommandName> = (invocation: Invocation<N>) => Promise<number | undefined>;
