import { expect, test } from "vitest";
import type { Argument } from "#cli/table/command.ts";
import { MEANINGS } from "#cli/table/command.ts";
import { commandNames, commandOf } from "#cli/table/command-table.ts";
import { pageAt } from "./pages.ts";

const { text } = pageAt("docs/command-line.md");
const [, ofService = "", ofOperator = ""] = text.split(/^## Commands for .*$/m);
const rowsIn = (section: string): string[] => section.match(/^\| (?:`|\d).*\|$/gm) ?? [];

function argumentText({ name, isOptional, isRepeated }: Argument): string {
  const word = `<${name}>${isRepeated ? "…" : ""}`;
  return isOptional ? `[${word}]` : word;
}

const rowsOf = (isOfService: boolean): string[] =>
  commandNames
    .filter((name) => (commandOf(name).talksTo === "service") === isOfService)
    .map((name) => {
      const { arguments: expected, summary } = commandOf(name);
      return `| \`${[name, ...expected.map(argumentText)].join(" ")}\` | ${summary} |`;
    });

test("docs/command-line.md has every command with its arguments and its summary, in the table's order", () => {
  expect(rowsIn(ofService)).toEqual(rowsOf(true));
  expect(rowsIn(ofOperator.split(/^## /m)[0] ?? "")).toEqual(rowsOf(false));
});

test("docs/command-line.md has every exit code, and those that mean something else to a command", () => {
  const codes = MEANINGS.map(([code, meaning]) => `| ${code} | ${meaning} |`);
  const own = commandNames.flatMap((name) =>
    (commandOf(name).exitCodes ?? []).map(([code, meaning]) => `| \`${name}\` | ${code} | ${meaning} |`),
  );
  const section = text.split("## Exit codes")[1]?.split("\n## ")[0] ?? "";
  expect(rowsIn(section)).toEqual([...codes, ...own]);
});
