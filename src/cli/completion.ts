// The completion scripts of the shells, written from the table.
import type { Runs } from "#cli/invocation.ts";
import type { Argument, Option } from "#cli/table/command.ts";
import { type CommandName, commandNames, commandOf, firstWords, subcommandsOf } from "#cli/table/command-table.ts";

export const runs: Runs<"completion"> = {
  // The parser takes no other shell.
  async completion({ positionals: [shell], out }) {
    await out.write(shell === "bash" ? bashCompletion() : shell === "zsh" ? zshCompletion() : fishCompletion());
  },
};

export function bashCompletion(): string {
  const groups = firstWords.filter((word) => subcommandsOf(word).length > 0);
  const second = groups.map((word) => `      ${word}) words="${subcommandsOf(word).join(" ")}" ;;`);
  const pairs = commandNames.filter((name) => name.includes(" ")).map((name) => `"${name}"`);
  return `# Completion of portcullis for bash. Add to ~/.bashrc:   source <(portcullis completion bash)
_portcullis() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="\${COMP_WORDS[1]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${firstWords.join(" ")} --help --version" -- "$current"))
    return
  fi
  if [ "$COMP_CWORD" -eq 2 ] && [ "\${current#-}" = "$current" ]; then
    case "$command" in
${second.join("\n")}
      help) words="${firstWords.join(" ")}" ;;
    esac
    if [ -n "$words" ]; then
      COMPREPLY=($(compgen -W "$words" -- "$current"))
      return
    fi
  fi
  case "$command \${COMP_WORDS[2]}" in
    ${pairs.join("|")}) command="$command \${COMP_WORDS[2]}" ;;
  esac
  case "$command $previous" in
${valueCases().join("\n")}
  esac
  case "$command" in
${commandNames.map(commandCase).join("\n")}
  esac
  if [ "\${current#-}" != "$current" ]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [ -n "$files" ]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -F _portcullis portcullis
`;
}

function commandCase(name: (typeof commandNames)[number]): string {
  const { options, arguments: expected } = commandOf(name);
  const words = expected.flatMap(({ choices = [] }) => choices);
  const files = expected.some(({ isPath }) => isPath) ? "yes" : "";
  const names = Object.keys(options).map((option) => `--${option}`);
  return `    "${name}") local options="${names.join(" ")}" files="${files}"; words="${words.join(" ")}" ;;`;
}

/** After an option that takes a value: its choices, a path, or nothing. */
function valueCases(): string[] {
  return commandNames.flatMap((name) =>
    Object.entries(commandOf(name).options)
      .filter(([, { type }]) => type === "string")
      .map(([option, { choices, isPath }]: [string, Option]) => {
        const reply =
          choices !== undefined
            ? `COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$current")); return`
            : isPath
              ? `compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")); return`
              : "return";
        return `    "${name} --${option}") ${reply} ;;`;
      }),
  );
}

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
${commandNames.map(argumentsCase).join("\n")}
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

function argumentsCase(name: CommandName): string {
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

const offer = (condition: string, word: string, summary: string): string =>
  `complete -c portcullis -n ${quotedForFish(condition)} -a ${quotedForFish(word)} -d ${quotedForFish(summary)}`;

function linesOf(name: CommandName): string[] {
  const { options, arguments: expected } = commandOf(name);
  const isMeant = name
    .split(" ")
    .map((word) => `__fish_seen_subcommand_from ${word}`)
    .join("; and ");
  const base = `complete -c portcullis -n ${quotedForFish(isMeant)}`;
  return [
    ...Object.entries(options).map(([option, spec]) => `${base} -l ${option}${optionParts(spec)}`),
    ...expected.flatMap(({ choices, isPath }) => [
      ...(choices === undefined ? [] : [`${base} -a ${quotedForFish(choices.join(" "))}`]),
      ...(isPath ? [`${base} -F`] : []),
    ]),
  ];
}

function optionParts({ short, type, choices, isPath, summary }: Option): string {
  const value =
    type === "boolean"
      ? ""
      : choices !== undefined
        ? ` -x -a ${quotedForFish(choices.join(" "))}`
        : isPath
          ? " -r -F"
          : " -x";
  return `${short === undefined ? "" : ` -s ${short}`}${value} -d ${quotedForFish(summary)}`;
}

const quotedForFish = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
