// What commands make of their arguments. A script that passes an empty variable must see a failure.
import { expect, test } from "vitest";
import { runCommand } from "#test/support/run-command.ts";
import { directoryForTest } from "#test/support/service.ts";

test.for([
  ["backup", [""], "Name one folder"],
  ["restore", [], "Name one folder"],
  ["prune", ["--dry-run"], "Name a time with --before"],
  ["import", ["a", "b"], "Name one file"],
  ["import", ["--bogus"], "--bogus"],
  ["blobs", [], "The only command is renew"],
  ["blobs", ["--bogus"], "--bogus"],
  ["keys", [], "The commands are"],
] as const)("%s with the arguments %j fails with one line", async ([name, args, sentence]) => {
  const { code, out, err } = await runCommand(name, args, {}, await directoryForTest());
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(sentence);
  expect(err.trimEnd().split("\n")).toHaveLength(1);
});

test("--help exits with 0", async () => {
  const { code, out } = await runCommand("import", ["--help"], {});
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("npm run import") });
});
