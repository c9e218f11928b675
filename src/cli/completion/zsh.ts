// The completion of zsh.
import type { Argument, Option } from "#cli/table/command.ts";
import { type CommandName, commandNames, commandOf, firstWords, subcommandsOf } from "#cli/table/command-table.ts";

export function zshCompletion(): string {
  return `#compdef portcullis
# Completion of portcullis for zsh. Put it into a folder of $fpath, as _portcullis.
_portcullis() {
  local -a words_of
  if (( CURRENT == 2 )); then
    words_of=(${firstWords.map((word) => quoted(`${word}:${summaryOf(word)}`)).join(" ")})
    _describe -t commands command words_of
    return
  fi
  local command="$words[2]"
  case "$command" in
${firstWords
  .filter((word) => subcommandsOf(word).length > 0)
  .map(groupCase)
  .join("\n")}
  esac
  (( CURRENT -= 1 )); shift words
  [[ "$command" == *' '* ]] && { (( CURRENT -= 1 )); shift words }
  case "$command" in
${commandNames.map(commandCase).join("\n")}
  esac
}
if [ "$funcstack[1]" = "_portcullis" ]; then _portcullis "$@"; else compdef _portcullis portcullis; fi
`;
}

function summaryOf(word: string): string {
  const name = commandNames.find((command) => command === word);
  return name === undefined ? subcommandsOf(word).join(", ") : commandOf(name).summary;
}

function groupCase(word: string): string {
  const rows = subcommandsOf(word).map((name) =>
    quoted(`${name}:${commandOf(`${word} ${name}` as CommandName).summary}`),
  );
  return `    ${word})
      case "$words[3]" in
        ${subcommandsOf(word).join("|")}) (( CURRENT > 3 )) && command="$command $words[3]" ;;
      esac
      if (( CURRENT == 3 )) && [[ "$words[3]" != -* ]]; then
        words_of=(${rows.join(" ")})
        _describe -t commands command words_of
        return
      fi ;;`;
}

function commandCase(name: CommandName): string {
  const { options, arguments: expected } = commandOf(name);
  const specs = [...Object.entries(options).map(optionSpec), ...expected.map(argumentSpec)];
  return `    ${quoted(name)}) _arguments ${specs.map(quoted).join(" ")} ;;`;
}

function optionSpec([name, { summary, value, choices, isPath, multiple }]: [string, Option]): string {
  const repeated = multiple ? "*" : "";
  return `${repeated}--${name}[${escaped(summary)}]${value === undefined ? "" : `:${escaped(name)}:${action(choices, isPath)}`}`;
}

function argumentSpec({ name, isRepeated, isOptional, choices, isPath }: Argument): string {
  return `${isRepeated ? "*" : isOptional ? ":" : ""}:${escaped(name)}:${action(choices, isPath)}`;
}

const action = (choices: readonly string[] | undefined, isPath: true | undefined): string =>
  choices !== undefined ? `(${choices.join(" ")})` : isPath ? "_files" : "";

/** What \`_arguments\` reads as syntax. */
const escaped = (text: string): string => text.replaceAll(/[[\]:\\]/g, "\\$&");
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
