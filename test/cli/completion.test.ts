import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { completionsOf } from "#cli/completion.ts";
import { commandNames, commandOf, firstWords } from "#cli/table/command-table.ts";
import { COMMAND_MAIN } from "#test/support/built-service.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { directoryForTest } from "#test/support/service.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

async function scriptOf(shell: (typeof SHELLS)[number]): Promise<string> {
  const { code, out } = await portcullis(["completion", shell]);
  expect(code).toBe(0);
  return out;
}

/** What bash offers for the last word of each line. */
async function completionsInBash(lines: readonly (readonly string[])[]): Promise<string[][]> {
  const asked = lines.map((words) => {
    const quoted = ["portcullis", ...words].map((word) => `'${word}'`).join(" ");
    return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _portcullis; echo "\${COMPREPLY[*]}"`;
  });
  const command = `portcullis() { '${process.execPath}' '${COMMAND_MAIN}' "$@"; }`;
  const script = [await scriptOf("bash"), command, "touch some-file", ...asked].join("\n");
  const cwd = await directoryForTest();
  const { stdout } = await promisify(execFile)("bash", ["--norc", "-c", script], { cwd });
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ").filter((word) => word !== ""));
}

test("bash completes commands, subcommands, options, choices and files", async () => {
  const [commands, subcommands, options, choices, files, values, shells] = await completionsInBash([
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
  expect(shells).toEqual(SHELLS);
});

test("every command and option is offered, with its summary in the form of the shell", async () => {
  const offered = (words: readonly string[]) => {
    const found = completionsOf(words);
    return found === "path" ? [] : found.map(([word]) => word);
  };
  expect(offered([""])).toEqual([...firstWords, "--help", "--version"]);
  for (const name of commandNames) {
    const options = Object.keys(commandOf(name).options).map((option) => `--${option}`);
    expect(offered([...name.split(" "), "-"])).toEqual(options);
    const [first = "", second] = name.split(" ");
    if (second !== undefined) expect(offered([first, ""])).toContain(second);
  }
  const forms = { bash: "list", zsh: "list:List the keys of callers", fish: "list\tList the keys of callers" };
  for (const shell of SHELLS) {
    const { out } = await portcullis(["completion", shell, "--", "keys", ""]);
    expect(out).toContain(forms[shell]);
  }
});

test.for([
  [["learn", ""], "path"],
  [["proof", "--out", ""], "path"],
  [["help", ""], "commands"],
  [["policy", ""], "subcommands"],
  [["nothing", ""], "none"],
] as const)("after %j come %s", ([words, kind]) => {
  const found = completionsOf(words);
  const first = found === "path" ? "path" : found[0]?.[0];
  expect(first).toBe({ path: "path", commands: "chat", subcommands: "allow", none: undefined }[kind]);
});

test.for(SHELLS)("the script of %s asks the command for what may come next", async (shell) => {
  expect(await scriptOf(shell)).toContain(`portcullis completion ${shell} -- `);
});
