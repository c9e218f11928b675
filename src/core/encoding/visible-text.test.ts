import { expect, test } from "vitest";
import { visible } from "./visible-text.ts";

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
