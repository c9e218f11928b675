import { expect, test } from "vitest";
import { fillIn, matchOutput } from "./match-output.ts";

const NONE = new Map<string, string>();

test("what is shown must be printed, to the letter", () => {
  expect(matchOutput("a (b)\n", "a (b)\n", NONE)).toEqual(NONE);
  expect(matchOutput("a (b)", "a (b)\nc\n", NONE)).toBeUndefined();
  expect(matchOutput("a.c", "abc", NONE)).toBeUndefined();
  expect(matchOutput("", "", NONE)).toEqual(NONE);
  expect(matchOutput("", "an error\n", NONE)).toBeUndefined();
});

test("… stands for anything in a line, and alone for any lines", () => {
  expect(matchOutput("used … of diet", "used 4 memories of diet", NONE)).toEqual(NONE);
  expect(matchOutput("used … of diet", "used 4\nof diet", NONE)).toBeUndefined();
  expect(matchOutput("{\n  …\n  b\n}", "{\n  x\n  y\n  b\n}", NONE)).toEqual(NONE);
  expect(matchOutput("a\n…\nb", "a\nb\n", NONE)).toEqual(NONE);
  expect(matchOutput("a\n…\nb", "a\nc\n", NONE)).toBeUndefined();
});

test("a name stands for one word, the same one wherever it is named", () => {
  const known = matchOutput('id <id>\n"again <id>"', 'id 0x1\n"again 0x1"', NONE);
  expect(known).toEqual(new Map([["id", "0x1"]]));
  expect(matchOutput("<id> <id>", "a b", NONE)).toBeUndefined();
  expect(matchOutput("<id>", "0x1", known ?? NONE)).toEqual(known);
  expect(matchOutput("<id>", "0x2", known ?? NONE)).toBeUndefined();
  expect(fillIn("verify <id>", known ?? NONE)).toBe("verify 0x1");
  expect(() => fillIn("verify <other>", known ?? NONE)).toThrow("<other>");
});
