// The table of commands. Help, completion and parsing follow from it.
import { type Command, commandsOver, HELP } from "./command.ts";
import { keyCommands } from "./key-commands.ts";
import { logCommands } from "./log-commands.ts";
import { memoryCommands } from "./memory-commands.ts";
import { operatorCommands } from "./operator-commands.ts";
import { receiptCommands } from "./receipt-commands.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

const helpCommands = commandsOver("nothing", HELP, {
  completion: {
    summary: "Print a script that completes commands in your shell.",
    arguments: [
      { name: "shell", choices: SHELLS },
      { name: "word", isOptional: true, isRepeated: true },
    ],
    details: `bash: add   source <(portcullis completion bash)   to ~/.bashrc
zsh:  portcullis completion zsh > ~/.zfunc/_portcullis   (a folder of $fpath)
fish: portcullis completion fish > ~/.config/fish/completions/portcullis.fish
The script runs this command with the words so far, after --, to learn what may
come next.`,
    examples: ["portcullis completion bash"],
  },
  help: {
    summary: "Explain a command.",
    arguments: [{ name: "command", isOptional: true, isRepeated: true }],
    examples: ["portcullis help recall"],
  },
});

export const commands = {
  ...memoryCommands,
  ...receiptCommands,
  ...operatorCommands,
  ...keyCommands,
  ...logCommands,
  ...helpCommands,
} as const;

export type CommandName = keyof typeof commands;

export const commandNames = Object.keys(commands) as readonly CommandName[];
export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name);

export const commandOf = (name: CommandName): Command & Required<Pick<Command, "arguments">> => ({
  arguments: [],
  ...commands[name],
});

/** The second words of a first one: `create`, `list` … of `keys`. */
export const subcommandsOf = (word: string): readonly string[] =>
  commandNames.filter((name) => name.startsWith(`${word} `)).map((name) => name.slice(word.length + 1));

export const firstWords: readonly string[] = [...new Set(commandNames.map((name) => name.split(" ")[0] ?? name))];
