import { expect, test } from "vitest";
import { ESCAPED_RANGES, escapedJson } from "./escaped-json.ts";

/** The version of Unicode that the list was made from. */
const UNICODE = 17;
const IS_INVISIBLE = /[<>\p{Cf}\p{Zl}\p{Zp}]/u;

const isListed = (code: number) => ESCAPED_RANGES.some(([first, last]) => first <= code && code <= last);

test("the escaped characters are those that Unicode had as invisible when the list was made", () => {
  const differences: string[] = [];
  const { unicode = "" } = process.versions;
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    // A later version may have more of them, and an earlier one may not know all of them.
    const mayDiffer = isListed(code) ? Number.parseInt(unicode, 10) < UNICODE : Number.parseInt(unicode, 10) > UNICODE;
    if (IS_INVISIBLE.test(character) !== isListed(code) && !mayDiffer) differences.push(code.toString(16));
  }
  expect(differences).toEqual([]);
});

test("every listed character is written as its UTF-16 code units, and no other character is", () => {
  for (const [first, last] of ESCAPED_RANGES) {
    for (const code of [first, last]) {
      const json = escapedJson(`a${String.fromCodePoint(code)}b`);
      expect(json).toMatch(/^"a(\\u[\da-f]{4}){1,2}b"$/);
      expect(JSON.parse(json)).toBe(`a${String.fromCodePoint(code)}b`);
    }
    for (const code of [first - 1, last + 1].filter((code) => !isListed(code)))
      expect(escapedJson(String.fromCodePoint(code))).toBe(JSON.stringify(String.fromCodePoint(code)));
  }
});
