// Turns the words of a command line into a command with its options and arguments, by the table.
import { parseArgs } from "node:util";
import { anyOf, nearestName } from "#core/names/nearest-name.ts";
import { UsageError } from "./invocation.ts";
import type { Argument, Option, SERVICE, Values } from "./table/command.ts";
import * as table from "./table/command-table.ts";

export type Parsed =
  | {
      readonly kind: "command";
      readonly name: Exclude<table.CommandName, "help">;
      readonly values: Values<typeof SERVICE>;
      readonly positionals: string[];
    }
  /** Of all commands, of a group such as `keys`, or of one. */
  | { readonly kind: "help"; readonly about: string }
  | { readonly kind: "version" };

const isHelp = (word: string | undefined): boolean => word === "--help" || word === "-h";

export function parseCommand(args: readonly string[]): Parsed {
  const [word, second] = args;
  if (word === undefined || isHelp(word)) return { kind: "help", about: "" };
  if (word === "--version") return { kind: "version" };
  if (word === "help") return { kind: "help", about: helpTopic(args.slice(1)) };
  if (word.startsWith("-")) throw new UsageError(`Name the command first: portcullis <command> ${word} …`);
  if (!table.firstWords.includes(word)) throw unknown(word, table.firstWords, "portcullis help lists the commands.");
  const subcommands = table.subcommandsOf(word);
  if (second !== undefined && subcommands.includes(second)) return parseOptions(`${word} ${second}`, args.slice(2));
  if (table.isCommandName(word)) {
    // `policy alow x y` would else be told of too many arguments.
    const isWrongSubcommand = subcommands.length > 0 && second !== undefined && !second.startsWith("-");
    if (!isWrongSubcommand) return parseOptions(word, args.slice(1));
  } else if (isHelp(second)) return { kind: "help", about: word };
  const advice = `The commands are ${subcommands.map((name) => `${word} ${name}`).join(", ")}.`;
  if (second === undefined || second.startsWith("-")) throw new UsageError(advice);
  throw unknown(
    `${word} ${second}`,
    subcommands.map((name) => `${word} ${name}`),
    advice,
  );
}

function unknown(typed: string, candidates: readonly string[], advice: string): UsageError {
  const nearest = nearestName(typed, candidates);
  const meant = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  return new UsageError(`There is no command ${typed}.${meant} ${advice}`);
}

function helpTopic(words: readonly string[]): string {
  const about = words.filter((word) => !word.startsWith("-")).join(" ");
  if (about === "" || table.isCommandName(about) || table.subcommandsOf(about).length > 0) return about;
  throw unknown(about, [...table.firstWords, ...table.commandNames], "portcullis help lists the commands.");
}

function parseOptions(name: string, args: readonly string[]): Parsed {
  if (!table.isCommandName(name) || name === "help") throw new Error(`${name} is not in the table`);
  const { options, arguments: expected } = table.commandOf(name);
  // Before anything is checked: whoever asks for help may not know the rest.
  const end = args.indexOf("--");
  if ((end === -1 ? args : args.slice(0, end)).some(isHelp)) return { kind: "help", about: name };
  const { values, positionals } = parsed(args, options);
  checkArguments(positionals, expected);
  return { kind: "command", name, values: valuesOf(values, options), positionals };
}

function parsed(args: readonly string[], options: Readonly<Record<string, Option>>) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || !code.startsWith("ERR_PARSE_ARGS")) throw error;
    if (code !== "ERR_PARSE_ARGS_UNKNOWN_OPTION") throw new UsageError(`${message.split(". ")[0]}.`);
    const typed = /'(-[^']*)'/.exec(message)?.[1] ?? "";
    const nearest = nearestName(
      typed,
      Object.keys(options).map((option) => `--${option}`),
    );
    throw new UsageError(`There is no option ${typed}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`);
  }
}

function checkArguments(given: readonly string[], expected: readonly Argument[]): void {
  const missing = expected.find(({ isOptional }, i) => isOptional === undefined && !given[i]);
  if (missing !== undefined) throw new UsageError(`Name one ${missing.name}.`);
  const isBounded = expected.every(({ isRepeated }) => isRepeated === undefined);
  if (isBounded && given.length > expected.length) {
    const what = expected.length === 0 ? "no argument" : expected.map(({ name }) => `one ${name}`).join(" and ");
    throw new UsageError(`There are too many arguments: name ${what}. Quote a text that has spaces.`);
  }
  for (const [i, { name, choices }] of expected.entries()) checkChoice(`<${name}>`, given[i], choices);
}

function valuesOf(given: ReturnType<typeof parsed>["values"], options: Readonly<Record<string, Option>>): object {
  const values = Object.entries(given).map(([name, value]) => {
    const { choices, as = camelCase(name), read } = options[name] ?? {};
    checkChoice(`--${name}`, value, choices);
    return [as, read === undefined ? value : read(value as string | string[], `--${name}`)];
  });
  return Object.fromEntries(values);
}

const camelCase = (name: string): string => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

function checkChoice(what: string, value: unknown, choices: readonly string[] | undefined): void {
  if (choices === undefined || value === undefined || choices.includes(String(value))) return;
  throw new UsageError(`${what} must be ${anyOf(choices)}.`);
}
