// What the command line makes of its words, before anything is asked of a service or a database.
import { describe, expect, test } from "vitest";
import { helpText } from "#cli/help-text.ts";
import { parseCommand } from "#cli/parse-command.ts";
import { commandModules, type RunnableName } from "#cli/run-command.ts";
import { MEANINGS } from "#cli/table/command.ts";
import { commandNames, commandOf, subcommandsOf } from "#cli/table/command-table.ts";
import { portcullis } from "#test/support/portcullis.ts";

/** The words of an example, as a shell splits it. */
const wordsOf = (example: string): string[] =>
  [...example.replace(/ > .*$/, "").matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

describe("the table of commands", () => {
  test.for([...commandNames])("%s has a help with all its options and an example that can be typed", (name) => {
    const { options, examples } = commandOf(name);
    const help = helpText(name);
    for (const option of Object.keys(options)) expect(help).toContain(`--${option}`);
    for (const line of help.split("\n")) expect(line.length).toBeLessThanOrEqual(name === "serve" ? 120 : 80);
    for (const example of examples) {
      const words = wordsOf(example).filter((word) => !/^[A-Z_]+=/.test(word));
      expect(words.shift()).toBe("portcullis");
      const parsed = parseCommand(words);
      if (name === "help") expect(parsed).toEqual({ kind: "help", about: "recall" });
      else expect(parsed).toMatchObject({ kind: "command", name });
    }
  });

  test("leads to a module for every command", async () => {
    const names = Object.keys(commandModules) as RunnableName[];
    expect([...names, "help"].sort()).toEqual([...commandNames].sort());
    for (const name of names) expect((await commandModules[name]()).runs).toHaveProperty([name], expect.any(Function));
  });

  test("gives no option for a key itself, which others could read in the list of processes", () => {
    const options = commandNames.flatMap((name) => Object.keys(commandOf(name).options));
    for (const option of ["key", "token", "secret", "password"]) expect(options).not.toContain(option);
  });
});

test("the general help names every command and every exit code", async () => {
  const { code, out } = await portcullis(["--help"]);
  expect(code).toBe(0);
  for (const name of commandNames) expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
  for (const [exitCode, meaning] of MEANINGS) expect(out).toContain(`${exitCode}`.padEnd(5) + meaning);
  for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(92);
  expect(await portcullis([])).toEqual({ code: 0, out, err: "" });
  expect(await portcullis(["help"])).toEqual({ code: 0, out, err: "" });
});

test("help is the same by help, by --help and behind other words", async () => {
  const help = await portcullis(["help", "keys", "create"]);
  expect(help).toMatchObject({ code: 0, out: expect.stringContaining("portcullis keys create [options]") });
  expect(await portcullis(["keys", "create", "--help"])).toEqual(help);
  expect(await portcullis(["keys", "create", "--bogus", "-h"])).toEqual(help);
  const group = await portcullis(["keys", "--help"]);
  for (const word of subcommandsOf("keys")) expect(group.out).toContain(`keys ${word}`);
});

test("--version is that of the package", async () => {
  expect(await portcullis(["--version"])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^portcullis \d+\.\d+\.\d+\n$/),
  });
});

// A script that passes an empty variable must see a failure.
test.for([
  [["backup", ""], "Name one folder"],
  [["restore"], "Name one folder"],
  [["prune", "--dry-run"], "Name a time with --before"],
  [["import", "a", "b"], "too many arguments"],
  [["import", "--bogus", "x"], "There is no option --bogus"],
  [["blobs"], "The commands are blobs renew"],
  [["keys"], "The commands are keys create"],
  [["keys", "destroy"], "There is no command keys destroy"],
  [["recal", "x"], "Did you mean recall?"],
  [["policy", "alow", "a", "b"], "Did you mean policy allow?"],
  [["help", "recieps"], "Did you mean receipts?"],
  [["memories", "--namspace", "x"], "Did you mean --namespace?"],
  [["receipts", "--status", "lost"], "--status must be begun, issued or broken-off"],
  [["completion", "tcsh"], "<shell> must be bash, zsh or fish"],
  [["--json", "recall"], "Name the command first"],
  [["memories", "--limit", "0"], "--limit takes a whole number"],
  [["recall"], "Name one question, or write it to standard input"],
  [["remember", "x"], "--namespace"],
  [["remember", "x", "--namespace", "n", "--ttl", "1", "--expires", "2099-01-01"], "not both"],
  [["forget"], "Say what is to be forgotten"],
  [["forget", "mem_1", "--namespace", "x"], "Say what is to be forgotten"],
  [["forget", "--before", "2026-02-31"], "--before takes a day or a time"],
  [["chat", "x", "--companion", "--agent", "a"], "Leave --agent"],
  [["chat", "x", "--companion", "--as-of", "2026-01-31"], "no filters"],
  [["proof", "ans_1", "--disclose", "all", "--filters", "travel"], "as JSON"],
  [["anchor", "ans_1", "--blob", "--claim", "x"], "Leave --claim out"],
  [["policy", "--url", "127.0.0.1:3000"], "begins with http"],
  [["policy", "--url", "http://u:p@127.0.0.1:3000"], "no password"],
] as const)("%j is refused in one line that says what to do", async ([args, sentence]) => {
  const { code, out, err } = await portcullis(args);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(sentence);
  expect(err.trimEnd().split("\n")).toHaveLength(1);
  expect(err).not.toMatch(/\bat .*:\d+:\d+/);
});

test("with --json an error is one JSON document on standard error", async () => {
  const { code, out, err } = await portcullis(["receipts", "--status", "lost", "--json"]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(JSON.parse(err)).toEqual({
    error: { code: "usage", exitCode: 2, message: expect.stringContaining("--status must be") },
  });
});
