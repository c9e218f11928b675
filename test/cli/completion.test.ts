import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bashCompletion, fishCompletion, zshCompletion } from "#cli/completion.ts";
import { commandNames, commandOf } from "#cli/table/command-table.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { directoryForTest } from "#test/support/service.ts";

/** What bash offers for the last word of each line. */
async function completionsOf(lines: readonly (readonly string[])[]): Promise<string[][]> {
  const asked = lines.map((words) => {
    const quoted = ["portcullis", ...words].map((word) => `'${word}'`).join(" ");
    return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _portcullis; echo "\${COMPREPLY[*]}"`;
  });
  const script = [bashCompletion(), "touch some-file", ...asked].join("\n");
  const cwd = await directoryForTest();
  const { stdout } = await promisify(execFile)("bash", ["--norc", "-c", script], { cwd });
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ").filter((word) => word !== ""));
}

test("bash completes commands, subcommands, options, choices and files", async () => {
  const [commands, subcommands, options, choices, files, values, shells] = await completionsOf([
    ["rec"],
    ["keys", ""],
    ["keys", "create", "--"],
    ["receipts", "--status", ""],
    ["import", "some"],
    ["recall", "--agent", ""],
    ["completion", ""],
  ]);
  expect(commands).toEqual(["recall", "receipts"]);
  expect(subcommands).toEqual(["create", "list", "rotate", "revoke"]);
  expect(options).toEqual(Object.keys(commandOf("keys create").options).map((name) => `--${name}`));
  expect(choices).toEqual(["begun", "issued", "broken-off"]);
  expect(files).toEqual(["some-file"]);
  expect(values).toEqual([]);
  expect(shells).toEqual(["bash", "zsh", "fish"]);
});

test.for([
  ["bash", bashCompletion],
  ["zsh", zshCompletion],
  ["fish", fishCompletion],
] as const)("the script of %s knows every command and option", async ([shell, script]) => {
  const text = script();
  expect(await portcullis(["completion", shell])).toEqual({ code: 0, out: text, err: "" });
  for (const name of commandNames) {
    for (const word of name.split(" ")) expect(text).toContain(word);
    for (const option of Object.keys(commandOf(name).options))
      expect(text).toContain(shell === "fish" ? `-l ${option}` : `--${option}`);
  }
});
