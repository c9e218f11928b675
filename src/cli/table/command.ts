// What a command is to its help, its completion and its parser. A question for help loads nothing else.
import { COUNT, METADATA } from "./option-values.ts";

export interface Option {
  readonly type: "string" | "boolean";
  readonly summary: string;
  /** What stands for the value in the help, `<id>` for example. */
  readonly value?: string;
  readonly short?: string;
  readonly multiple?: true;
  /** The only values, for completion. */
  readonly choices?: readonly string[];
  readonly isPath?: true;
  /** What the API calls it, if that is not the option's name in camel case. */
  readonly as?: string;
  /** The value that commands get for the text, or for the texts. Throws a sentence that says what the option takes. */
  read?(given: string | readonly string[], option: string): unknown;
}

type Camel<S extends string> = S extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;
type NameOf<K extends string, O> = O extends { readonly as: infer Name extends string } ? Name : Camel<K>;
type One<O> = O extends { readonly choices: readonly (infer Choice)[] } ? Choice : string;
type ValueOf<O> = O extends { read(...given: never): infer Value }
  ? Value
  : O extends { readonly type: "boolean" }
    ? boolean
    : O extends { readonly multiple: true }
      ? One<O>[]
      : One<O>;

/** The values of options, by the names that the API has for them. */
export type Values<Options> = { readonly [K in keyof Options & string as NameOf<K, Options[K]>]?: ValueOf<Options[K]> };

export interface Argument {
  readonly name: string;
  readonly isOptional?: true;
  readonly isRepeated?: true;
  readonly isPath?: true;
  readonly choices?: readonly string[];
}

export interface Command {
  readonly summary: string;
  /** A service over HTTP, with a key; or the service's own database, with its settings; or neither. */
  readonly talksTo: "service" | "database" | "nothing";
  readonly arguments?: readonly Argument[];
  readonly options: Readonly<Record<string, Option>>;
  /** What the summary leaves out. */
  readonly details?: string;
  /** The first one is the one to learn from. */
  readonly examples: readonly [string, ...string[]];
  /** Exit codes that mean something else than for other commands. */
  readonly exitCodes?: readonly (readonly [code: number, meaning: string])[];
  /** The exit code of every error, if it is not the error's own. */
  readonly failureCode?: number | ((args: readonly string[]) => number | undefined);
}

type More = Omit<Option, "type" | "value" | "summary">;

/** An option that takes a value, for which `value` stands in the help: `<id>`, for example. */
export const text = <const M extends More = object>(value: string, summary: string, more?: M) =>
  ({ type: "string", value, summary, ...more }) as { type: "string"; value: string; summary: string } & M;

export const flag = <const M extends More = object>(summary: string, more?: M) =>
  ({ type: "boolean", summary, ...more }) as { type: "boolean"; summary: string } & M;

/** Which memories, of all that the caller may read or use. */
export const FILTERS = {
  "namespace-prefix": text("<name>", "only those of this namespace, and of those below it"),
  "occurred-from": text("<time>", "only what occurred on this day or at this time, or later"),
  "occurred-to": text("<time>", "only what occurred on this day or at this time, or before"),
  metadata: text("<name=value>", "only those with this value", METADATA),
} as const;

type Own = Omit<Command, "talksTo" | "options"> & Partial<Pick<Command, "talksTo" | "options">>;
type OptionsOf<C> = C extends { readonly options: infer Options } ? Options : object;

/** Commands that talk to the same, unless they say otherwise, and have these options after their own. */
export const commandsOver = <
  const Shared extends Command["options"],
  const Commands extends Readonly<Record<string, Own>>,
>(
  talksTo: Command["talksTo"],
  shared: Shared,
  commands: Commands,
) =>
  Object.fromEntries(
    Object.entries(commands).map(([name, { options, ...command }]) => {
      return [name, { talksTo, ...command, options: { ...options, ...shared } }];
    }),
  ) as {
    readonly [Name in keyof Commands]: Omit<Commands[Name], "options"> &
      Pick<Command, "talksTo"> & { readonly options: OptionsOf<Commands[Name]> & Shared };
  };

export const HELP = { help: flag("this text", { short: "h" }) } as const;

const JSON_OPTION = { json: flag("JSON: one document, or one a line for lists and streams") } as const;

/** Of every command that talks to a service. The key itself is no option: others could read it in the list of processes. */
export const SERVICE = {
  url: text("<url>", "the service (default: PORTCULLIS_URL, or http://127.0.0.1:3000)"),
  "key-file": text("<path>", "a file with a key (default: PORTCULLIS_KEY)", { isPath: true }),
  tenant: text("<id>", "the tenant to act in, for those who may act in several"),
  ...JSON_OPTION,
  ...HELP,
} as const;

export const AGENT = {
  agent: text("<id>", "the agent that asks; an agent's key is its own", { as: "agentId" }),
} as const;

export const PAGES = { limit: text("<n>", "how many at most (default: 50)", COUNT), all: flag("all of them") } as const;

export const OUTPUT = { ...JSON_OPTION, ...HELP } as const;

/** Of a command that works on the records of one tenant, and of one that goes through all. */
export const ONE_TENANT = { tenant: text("<id>", "the tenant (default: default)") } as const;
export const EACH_TENANT = { tenant: text("<id>", "this tenant alone (default: all)") } as const;

export const BESIDE = "It reads the settings of the service (DATABASE_URL), and may run beside it.";

/** The exit codes of all commands. Scripts rely on them, so they never change. */
const CODES = {
  done: [0, "done"],
  failed: [1, "it failed"],
  usage: [2, "the command line is not valid"],
  refused: [3, "not allowed: the key is missing, wrong or not allowed"],
  notFound: [4, "not found"],
  unreachable: [5, "the service does not answer, or cannot answer now: try again later"],
  unverified: [6, "a verification found something wrong"],
  interrupted: [130, "Ctrl-C"],
} as const;

export const MEANINGS: readonly (readonly [code: number, meaning: string])[] = Object.values(CODES);
export const EXIT = Object.fromEntries(Object.entries(CODES).map(([name, [code]]) => [name, code])) as {
  readonly [Name in keyof typeof CODES]: (typeof CODES)[Name][0];
};
