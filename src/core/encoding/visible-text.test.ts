import fc from "fast-check";
import { expect, test } from "vitest";
import { differenceOf, visible } from "./visible-text.ts";

test.for([
  ["plain text, Ünïcödé, 日本語, 😀", "plain text, Ünïcödé, 日本語, 😀"],
  ["tab\tand\nline", "tab\tand\nline"],
  ["\u202eturned", "⟨U+202E⟩turned"],
  ["zero\u200bwidth\ufeff", "zero⟨U+200B⟩width⟨U+FEFF⟩"],
  ["\u0000\u{e0041}", "⟨U+0000⟩⟨U+E0041⟩"],
  ["half \ud83d", "half ⟨U+D83D⟩"],
] as const)("shows invisible characters of %j by their code points", ([text, shown]) => {
  expect(visible(text)).toBe(shown);
});

const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });

test("the parts add up to the two texts, and the prefix and suffix are as long as possible", () => {
  fc.assert(
    fc.property(text, text, (left, right) => {
      const { start, left: before, right: after, end } = differenceOf(left, right);
      expect([start + before + end, start + after + end]).toEqual([left, right]);
      if (before !== "" && after !== "") expect(before.at(0)).not.toBe(after.at(0));
      if (before !== "" && after !== "") expect(before.at(-1)).not.toBe(after.at(-1));
    }),
  );
});

test.for([
  ["assistent", "assistant", { start: "assist", left: "e", right: "a", end: "nt" }],
  ["aa", "a", { start: "a", left: "a", right: "", end: "" }],
  ["same", "same", { start: "same", left: "", right: "", end: "" }],
] as const)("splits %s and %s into prefix, difference and suffix", ([left, right, difference]) => {
  expect(differenceOf(left, right)).toEqual(difference);
});
