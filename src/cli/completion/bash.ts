// The completion of bash. It needs no package of completion helpers.
import type { Option } from "#cli/table/command.ts";
import { commandNames, commandOf, firstWords, subcommandsOf } from "#cli/table/command-table.ts";

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
