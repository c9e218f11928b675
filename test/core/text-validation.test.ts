import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nameFault, recordedNameFault, textFault } from "#core/encoding/text-validation.ts";
import { codePoint } from "#test/support/code-point.ts";

describe("a name", () => {
  test.each([
    "health",
    "a",
    "__proto__",
    "constructor",
    "a b",
    "Gesundheit & Co",
    "東京",
    "é",
    "x".repeat(64),
    "😀".repeat(64),
  ])("may be %s", (name) => {
    expect(nameFault(name)).toBeUndefined();
  });

  test.each([
    ["", "empty"],
    ["x".repeat(65), "64"],
    ["😀".repeat(65), "64"],
    [" a", "white space"],
    ["a\u00a0", "white space"],
    ["a\u0000b", "control"],
    ["a\nb", "control"],
    ["a\u0085b", "control"],
    ["e\u0301", "NFC"],
    ["\ud800", "surrogate"],
  ])("may not be %j", (name, why) => {
    expect(nameFault(name)).toContain(why);
    expect(recordedNameFault(name)).toContain(why);
  });

  test("for something new may not be *, which some take for all names, and a name on record may", () => {
    expect(nameFault("*")).toBe("must name one: nothing stands for all");
    expect([recordedNameFault("*"), nameFault("a*")]).toEqual([undefined, undefined]);
  });

  test.each([
    ["a zero-width space", "di\u200bet"],
    ["a zero-width joiner", "👩\u200d🌾"],
    ["a soft hyphen", "di\u00adet"],
    ["a right-to-left override", "a\u202eb"],
    ["a direction mark", "a\u200e"],
    ["an isolate", "a\u2066b"],
    ["a variation selector", "❤\ufe0f"],
    ["a supplementary variation selector", "a\u{e0100}"],
    ["a tag character", "a\u{e0041}"],
    ["a Hangul filler", "a\u3164b"],
    ["a half-width Hangul filler", "a\uffa0b"],
    ["a combining grapheme joiner", "a\u034fb"],
    ["a word joiner", "a\u2060b"],
    ["a byte order mark", "a\ufeffb"],
    ["a Khmer inherent vowel", "a\u17b4b"],
    ["a Mongolian vowel separator", "a\u180eb"],
    ["an invisible operator", "a\u2063b"],
    ["a line separator", "a\u2028b"],
    ["a Braille blank", "a\u2800b"],
    ["a null notehead", "a\u{1d159}b"],
    ["an unassigned ignorable", "a\u{e0fff}b"],
  ])("for something new may not contain %s, and a name on record may", (_, name) => {
    expect(nameFault(name)).toBe("must not contain invisible characters");
    expect(recordedNameFault(name)).toBeUndefined();
  });
});

describe("a text", () => {
  test("may have tabs and line ends, and as many characters as the limit", () => {
    expect(textFault("a\tb\r\nc", 10)).toBeUndefined();
    expect(textFault("😀".repeat(10), 10)).toBeUndefined();
    expect(textFault("😀".repeat(11), 10)).toContain("10");
  });

  test.each([
    ["", "empty"],
    [" \n\t ", "empty"],
    ["a\u0000", "control"],
    ["a\u009f", "control"],
    ["\udc00", "surrogate"],
  ])("may not be %j", (text, why) => {
    expect(textFault(text, 10)).toContain(why);
  });

  test("has its length counted in code points", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, minLength: 1 }), fc.integer({ min: 1, max: 20 }), (text, limit) => {
        const long = textFault(`x${text}`, limit)?.includes("at most") ?? false;
        expect(long).toBe(Array.from(`x${text}`).length > limit);
      }),
    );
  });
});
