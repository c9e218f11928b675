import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CLIENT_VARIABLES } from "#cli/environment.ts";
import { VARIABLE_NAMES } from "#environment.ts";
import { parseServeOptions, serveHelp } from "./serve-options.ts";

const EXAMPLE = readFileSync(new URL("../../example.env", import.meta.url), "utf8");
const MANUAL = readFileSync(new URL("../../docs/configuration.md", import.meta.url), "utf8");
const namesIn = (text: string): Set<string> =>
  new Set(text.match(/\b[A-Z]+(?:_[A-Z]+)+\b|\b(?:HOST|PORT|AUTH|SEED)\b/g));

describe("the settings", () => {
  test("are all in example.env and in the manual, so that nobody has to read the code for one", () => {
    const isMissing = (text: string) => VARIABLE_NAMES.filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
    expect(isMissing(EXAMPLE)).toEqual([]);
    expect(isMissing(MANUAL)).toEqual([]);
    for (const name of CLIENT_VARIABLES) expect(MANUAL).toContain(name);
  });

  test("that example.env and the help name exist", () => {
    const known = new Set(VARIABLE_NAMES);
    for (const text of [EXAMPLE.replaceAll(/^# .*$/gm, ""), serveHelp()])
      expect([...namesIn(text)].filter((name) => !known.has(name))).toEqual([]);
  });
});

test("the options of a start are --secure, --help and --version, and nothing else", () => {
  expect(parseServeOptions([])).toEqual({ secure: false, help: false, version: false });
  expect(parseServeOptions(["-h"]).help).toBe(true);
  expect(parseServeOptions(["--version", "--secure"])).toMatchObject({ version: true, secure: true });
  expect(() => parseServeOptions(["--port", "80"])).toThrow("--secure, --version and --help");
});
