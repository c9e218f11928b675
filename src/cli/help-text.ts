// The help of all commands, of a group, and of one command, written from the table.
import { serveHelp } from "./serve-options.ts";
import { type Argument, type Command, MEANINGS, type Option } from "./table/command.ts";
import { type CommandName, commandNames, commandOf, isCommandName, subcommandsOf } from "./table/command-table.ts";

const GROUPS: readonly (readonly [title: string, talksTo: readonly Command["talksTo"][]])[] = [
  ["Commands for a service (--url or PORTCULLIS_URL, and PORTCULLIS_KEY)", ["service"]],
  ["Commands for whoever runs the service (its settings: DATABASE_URL …)", ["database", "nothing"]],
];

/** `about` is a command, a group such as `keys`, or nothing. */
export function helpText(about: string): string {
  const subcommands = subcommandsOf(about);
  if (about === "") return generalHelp();
  if (about === "serve") return serveHelp();
  const own = isCommandName(about) ? commandHelp(about) : `portcullis ${about}: choose one of its commands.\n`;
  if (subcommands.length === 0) return own;
  const rows = subcommands.map((word) => summaryRow(`${about} ${word}` as CommandName));
  return `${own}\nFurther commands; each has its own --help\n${indentedRows(rows)}\n`;
}

function generalHelp(): string {
  const sections = GROUPS.map(([title, kinds]) => {
    const names = commandNames.filter((name) => kinds.includes(commandOf(name).talksTo));
    return `${title}\n${indentedRows(names.map(summaryRow))}`;
  });
  return `Portcullis: memory for AI agents, with a gate and a receipt.

Usage
  portcullis <command> [options]
  portcullis <command> --help          explains the command, with an example
  npm run -s portcullis -- <command>   the same, in a clone

${sections.join("\n\n")}

Example
  portcullis recall "When does the flight to Lisbon leave?" --agent assistant

Exit codes
${indentedRows(MEANINGS.map(([code, meaning]) => [String(code), meaning]))}
`;
}

const summaryRow = (name: CommandName): Row => [name, commandOf(name).summary];

function commandHelp(name: CommandName): string {
  const { summary, arguments: expected, options, details, examples, exitCodes = [] } = commandOf(name);
  const words = ["portcullis", name, ...expected.map(argumentText), "[options]"];
  const own = new Map(exitCodes);
  const codes = MEANINGS.map(([code, meaning]): Row => [String(code), own.get(code) ?? meaning]);
  const sections = [
    `${summary}${details === undefined ? "" : `\n\n${wrapped(details)}`}`,
    `Usage\n  ${words.join(" ")}`,
    `Options\n${indentedRows(Object.entries(options).map(optionRow))}`,
    `Example\n${examples.map((example) => `  ${example}`).join("\n")}`,
    exitCodes.length === 0 ? "Exit codes\n  portcullis help lists them." : `Exit codes\n${indentedRows(codes)}`,
  ];
  return `${sections.join("\n\n")}\n`;
}

function argumentText({ name, isOptional, isRepeated }: Argument): string {
  const text = `<${name}>${isRepeated ? "…" : ""}`;
  return isOptional ? `[${text}]` : text;
}

function optionRow([name, { short, value, summary, multiple }]: [string, Option]): Row {
  const flags = `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
  return [flags, `${summary}${multiple ? "; can be repeated" : ""}`];
}

type Row = readonly [left: string, right: string];
const WIDTH = 79;

/** Two columns. A text that is too long for its line goes on in the next one, below its beginning. */
function indentedRows(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows
    .map(([left, right]) => {
      const lines = wrap(right, Math.max(30, WIDTH - width - 4));
      return lines.map((line, i) => `  ${(i === 0 ? left : "").padEnd(width)}  ${line}`).join("\n");
    })
    .join("\n");
}

/** A paragraph of the table may have long lines. A line with an indentation, or a colon within it, is kept. */
function wrapped(text: string): string {
  if (/^\w+: +/m.test(text) && text.includes("   ")) return text;
  return wrap(text.replaceAll("\n", " "), WIDTH).join("\n");
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
