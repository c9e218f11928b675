// Completes commands in a shell. Its script asks this command, with the words so far, for what may come next.
import { readFileSync } from "node:fs";
import type { Runs } from "#cli/invocation.ts";
import type { Argument, Option } from "#cli/table/command.ts";
import { commandOf, firstWords, isCommandName, subcommandsOf } from "#cli/table/command-table.ts";

type Shell = "bash" | "zsh" | "fish";

export const runs: Runs<"completion"> = {
  async completion({ positionals: [shell, ...words], out }) {
    // The parser takes no other shell.
    const { script, lineOf } = SHELLS[shell as Shell];
    await out.write(words.length === 0 ? readFileSync(script, "utf8") : linesOf(completionsOf(words), lineOf));
  },
};

type Completions = readonly (readonly [word: string, summary: string])[] | "path";

const linesOf = (found: Completions, lineOf: (word: string, summary: string) => string): string =>
  found === "path" ? `${PATH}\n` : found.map(([word, summary]) => `${lineOf(word, summary)}\n`).join("");

/** Tells a script of `shells/` that it completes paths. No word is like this. */
const PATH = ":path";

/** What may stand in place of the last of these words. The shell leaves out what does not begin as that one does. */
export function completionsOf(words: readonly string[]): Completions {
  const [before, current = ""] = [words.slice(0, -1), words.at(-1)];
  const [first = "", second = ""] = before;
  if (before.length === 0) return [...commands(), ...GENERAL_OPTIONS];
  const isOption = current.startsWith("-");
  if (before.length === 1 && !isOption) {
    if (first === "help") return commands();
    const subcommands = subcommandsOf(first);
    if (subcommands.length > 0) return subcommands.map((word) => [word, summaryOf(`${first} ${word}`)]);
  }
  const name = [`${first} ${second}`, first].find(isCommandName);
  if (name === undefined) return [];
  const { options, arguments: expected } = commandOf(name);
  const previous = new Map<string, Option>(Object.entries(options)).get(before.at(-1)?.slice(2) ?? "");
  if (previous?.type === "string") return valuesOf([previous]);
  return isOption ? Object.entries(options).map(([word, { summary }]) => [`--${word}`, summary]) : valuesOf(expected);
}

const GENERAL_OPTIONS = [
  ["--help", "explains the commands"],
  ["--version", "of this program"],
] as const;

const commands = () => firstWords.map((word) => [word, summaryOf(word)] as const);
const summaryOf = (name: string): string =>
  isCommandName(name) ? commandOf(name).summary : subcommandsOf(name).join(", ");

function valuesOf(expected: readonly (Argument | Option)[]): Completions {
  if (expected.some(({ isPath }) => isPath)) return "path";
  return expected.flatMap(({ choices = [] }) => choices.map((word) => [word, ""] as const));
}

const SHELLS: Readonly<Record<Shell, { readonly script: URL; lineOf(word: string, summary: string): string }>> = {
  bash: { script: new URL("./shells/portcullis.bash", import.meta.url), lineOf: (word) => word },
  zsh: {
    script: new URL("./shells/portcullis.zsh", import.meta.url),
    lineOf: (word, summary) => (summary === "" ? word : `${word}:${summary}`),
  },
  fish: {
    script: new URL("./shells/portcullis.fish", import.meta.url),
    lineOf: (word, summary) => `${word}\t${summary}`,
  },
};
