// What a command is to its help, its completion and its parser. Pure data: a question for help loads nothing else.

export interface Option {
  readonly type: "string" | "boolean";
  readonly summary: string;
  /** What stands for the value in the help, `<id>` for example. */
  readonly value?: string;
  readonly short?: string;
  readonly multiple?: true;
  /** The only values, for completion. */
  readonly choices?: readonly string[];
  /** The value is a path. */
  readonly isPath?: true;
}

export interface Argument {
  readonly name: string;
  readonly isOptional?: true;
  /** It can be given more than once. */
  readonly isRepeated?: true;
  readonly isPath?: true;
  readonly choices?: readonly string[];
}

export interface Command {
  readonly summary: string;
  /** A service over HTTP, with a key; or the service's own database, with its settings; or neither. */
  readonly talksTo: "service" | "database" | "nothing";
  readonly arguments: readonly Argument[];
  readonly options: Readonly<Record<string, Option>>;
  /** What the summary leaves out. */
  readonly details?: string;
  /** The first one is the one to learn from. */
  readonly examples: readonly [string, ...string[]];
  /** Exit codes that mean something else than for other commands. */
  readonly exitCodes?: readonly (readonly [code: number, meaning: string])[];
  /** The exit code of every error, if it is not the error's own. */
  readonly failureCode?: number;
}

export const HELP = { help: { type: "boolean", short: "h", summary: "this text" } } as const;

const JSON_OPTION = {
  json: { type: "boolean", summary: "JSON: one document, or one a line for lists and streams" },
} as const;

/** Of every command that talks to a service. The key itself is no option: others could read it in the list of processes. */
export const SERVICE = {
  url: { type: "string", value: "<url>", summary: "the service (default: PORTCULLIS_URL, or http://127.0.0.1:3000)" },
  "key-file": { type: "string", value: "<path>", isPath: true, summary: "a file with a key (default: PORTCULLIS_KEY)" },
  ...JSON_OPTION,
  ...HELP,
} as const;

export const AGENT = {
  agent: { type: "string", value: "<id>", summary: "the agent that asks; an agent's key is its own" },
} as const;

export const PAGES = {
  limit: { type: "string", value: "<n>", summary: "how many at most (default: 50)" },
  all: { type: "boolean", summary: "all of them" },
} as const;

export const OUTPUT = { ...JSON_OPTION, ...HELP } as const;

export const BESIDE = "It reads the settings of the service (DATABASE_URL), and may run beside it.";

/** The exit codes of all commands. Scripts rely on them, so they never change. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  unreachable: 5,
  unverified: 6,
  interrupted: 130,
} as const;

export const MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.done, "done"],
  [EXIT.failed, "it failed"],
  [EXIT.usage, "the command line is not valid"],
  [EXIT.refused, "the caller may not do that: the key is missing, wrong or not allowed"],
  [EXIT.notFound, "not found"],
  [EXIT.unreachable, "the service does not answer, or cannot answer now: try again later"],
  [EXIT.unverified, "a verification found something wrong"],
  [EXIT.interrupted, "Ctrl-C"],
];
