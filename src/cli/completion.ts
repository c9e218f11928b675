// Completes commands in a shell. Its script asks this command, with the words so far, for what may come next.
import type { Runs } from "#cli/invocation.ts";
import type { Argument, Option } from "#cli/table/command.ts";
import { type CommandName, commandNames, commandOf, firstWords, subcommandsOf } from "#cli/table/command-table.ts";

type Shell = "bash" | "zsh" | "fish";

export const runs: Runs<"completion"> = {
  async completion({ positionals: [shell, ...words], out }) {
    // The parser takes no other shell.
    const { script, lineOf } = SHELLS[shell as Shell];
    await out.write(words.length === 0 ? script : linesOf(completionsOf(words), lineOf));
  },
};

type Completions = readonly (readonly [word: string, summary: string])[] | "path";

const linesOf = (found: Completions, lineOf: (word: string, summary: string) => string): string =>
  found === "path" ? `${PATH}\n` : found.map(([word, summary]) => `${lineOf(word, summary)}\n`).join("");

/** Tells a script that it completes paths. No word is like this. */
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

const isCommandName = (name: string): name is CommandName => (commandNames as readonly string[]).includes(name);
const commands = () => firstWords.map((word) => [word, summaryOf(word)] as const);
const summaryOf = (name: string): string =>
  isCommandName(name) ? commandOf(name).summary : subcommandsOf(name).join(", ");

function valuesOf(expected: readonly (Argument | Option)[]): Completions {
  if (expected.some(({ isPath }) => isPath)) return "path";
  return expected.flatMap(({ choices = [] }) => choices.map((word) => [word, ""] as const));
}

const SHELLS: Readonly<Record<Shell, { readonly script: string; lineOf(word: string, summary: string): string }>> = {
  bash: {
    lineOf: (word) => word,
    script: `# Completion of portcullis for bash. Add to ~/.bashrc:   source <(portcullis completion bash)
_portcullis() {
  local found current="\${COMP_WORDS[COMP_CWORD]}"
  found="$(portcullis completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)"
  if [ "$found" = "${PATH}" ]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  else
    COMPREPLY=($(compgen -W "$found" -- "$current"))
  fi
}
complete -F _portcullis portcullis
`,
  },
  zsh: {
    lineOf: (word, summary) => (summary === "" ? word : `${word}:${summary}`),
    script: `#compdef portcullis
# Completion of portcullis for zsh. Put it into a folder of $fpath, as _portcullis.
_portcullis() {
  local -a found
  found=("\${(@f)$(portcullis completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "$found" == "${PATH}" ]]; then _files
  elif [[ -n "$found" ]]; then _describe -t words word found
  fi
}
if [ "$funcstack[1]" = "_portcullis" ]; then _portcullis "$@"; else compdef _portcullis portcullis; fi
`,
  },
  fish: {
    lineOf: (word, summary) => `${word}\t${summary}`,
    script: `# Completion of portcullis for fish. Put it into ~/.config/fish/completions, as portcullis.fish.
function __portcullis_words
  set -l words (commandline -opc) (commandline -ct)
  set -l found (portcullis completion fish -- $words[2..-1] 2>/dev/null)
  if test "$found" = "${PATH}"
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $found
  end
end
complete -c portcullis -f -a '(__portcullis_words)'
`,
  },
};
