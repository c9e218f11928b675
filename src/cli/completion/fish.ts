// The completion of fish.
import type { Option } from "#cli/table/command.ts";
import { type CommandName, commandNames, commandOf, firstWords, subcommandsOf } from "#cli/table/command-table.ts";

export function fishCompletion(): string {
  const lines = [
    "# Completion of portcullis for fish. Put it into ~/.config/fish/completions, as portcullis.fish.",
    "complete -c portcullis -f",
    ...firstWords.map((word) => offer("__fish_use_subcommand", word, summaryOf(word))),
    ...firstWords.flatMap((word) => {
      const names = subcommandsOf(word);
      const isNext = `__fish_seen_subcommand_from ${word}; and not __fish_seen_subcommand_from ${names.join(" ")}`;
      return names.map((name) => offer(isNext, name, commandOf(`${word} ${name}` as CommandName).summary));
    }),
    ...commandNames.flatMap(linesOf),
  ];
  return `${lines.join("\n")}\n`;
}

function summaryOf(word: string): string {
  const name = commandNames.find((command) => command === word);
  return name === undefined ? subcommandsOf(word).join(", ") : commandOf(name).summary;
}

const offer = (condition: string, word: string, summary: string): string =>
  `complete -c portcullis -n ${quoted(condition)} -a ${quoted(word)} -d ${quoted(summary)}`;

function linesOf(name: CommandName): string[] {
  const { options, arguments: expected } = commandOf(name);
  const isMeant = name
    .split(" ")
    .map((word) => `__fish_seen_subcommand_from ${word}`)
    .join("; and ");
  const base = `complete -c portcullis -n ${quoted(isMeant)}`;
  return [
    ...Object.entries(options).map(([option, spec]) => `${base} -l ${option}${optionParts(spec)}`),
    ...expected.flatMap(({ choices, isPath }) => [
      ...(choices === undefined ? [] : [`${base} -a ${quoted(choices.join(" "))}`]),
      ...(isPath ? [`${base} -F`] : []),
    ]),
  ];
}

function optionParts({ short, type, choices, isPath, summary }: Option): string {
  const value =
    type === "boolean" ? "" : choices !== undefined ? ` -x -a ${quoted(choices.join(" "))}` : isPath ? " -r -F" : " -x";
  return `${short === undefined ? "" : ` -s ${short}`}${value} -d ${quoted(summary)}`;
}

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
