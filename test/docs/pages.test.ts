// Every command of the pages, run in the order of its page.
import { describe, expect, test } from "vitest";
import { findPython, NO_PYTHON } from "#test/support/python.ts";
import { blocksIn, proseIn, stepsIn } from "./page-blocks.ts";
import { PAGES } from "./pages.ts";
import { runPage } from "./run-page.ts";

/** docs/api.md is written, and held to what it shows, by `npm run api-examples` and its test. */
const FOLLOWED = PAGES.filter((page) => page.path !== "docs/api.md" && stepsIn(page).length > 0);
const LANGUAGES = ["sh", "console", "text", "json", "ts", "ini", "yaml", "python", "nginx", "haproxy"];

describe("a page", () => {
  test.for(FOLLOWED.map((page) => [page.path, page] as const))(
    "%s: its commands print what it shows",
    async ([, page], { skip }) => {
      const needsPython = blocksIn(page).some(({ note }) => note.endsWith(".py"));
      const python = needsPython ? await findPython() : undefined;
      if (needsPython && python === undefined) skip(NO_PYTHON);
      await runPage(page, python);
    },
  );

  test("has no block that is neither run nor marked with what it is", () => {
    for (const page of PAGES) {
      for (const { language, place } of blocksIn(page)) expect(LANGUAGES, place).toContain(language);
      // An indented block has no mark.
      expect(proseIn(page).match(/\n\n {4,}\S.*/g) ?? [], page.path).toEqual([]);
    }
  });

  test("gives a reason for every block that is not run, and has more that are", () => {
    const blocks = PAGES.flatMap(blocksIn);
    const left = blocks.filter(({ language }) => language === "console");
    for (const { note, place } of left) expect(note, place).toMatch(/^(?:needs|takes|changes|the test has) \S/);
    expect(blocks.filter(({ language }) => language === "sh").length).toBeGreaterThan(left.length);
  });

  test("begins with whom it is for", () => {
    for (const { path, text } of PAGES.slice(1))
      expect(text.split("\n")[2], path).toMatch(/^For (?:whoever|developers|operators|people) /);
  });
});

test("the README stays a front page", () => {
  expect(PAGES[0]?.text.split("\n").length).toBeLessThan(150);
});
