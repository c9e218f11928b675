// JSON for a prompt: one line, no `<` or `>`, no invisible characters. Text in it cannot close a block of the prompt, and
// a person who reads the prompt sees what the model reads.

/**
 * First and last code point of each range that is escaped: `<`, `>`, and what Unicode 17.0 has in the categories Cf, Zl
 * and Zp, among them bidirectional controls, zero-width characters and line separators. It is a list because the prompt of
 * a receipt must have the same bytes for everyone who rebuilds it, whatever version of Unicode they have. A prompt
 * template fixes it: another list needs new templates.
 */
export const ESCAPED_RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x3c, 0x3c],
  [0x3e, 0x3e],
  [0xad, 0xad],
  [0x600, 0x605],
  [0x61c, 0x61c],
  [0x6dd, 0x6dd],
  [0x70f, 0x70f],
  [0x890, 0x891],
  [0x8e2, 0x8e2],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x2064],
  [0x2066, 0x206f],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0x110bd, 0x110bd],
  [0x110cd, 0x110cd],
  [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0001, 0xe0001],
  [0xe0020, 0xe007f],
];

const codePoint = (code: number): string => `\\u{${code.toString(16)}}`;
const CLASS = ESCAPED_RANGES.map(([first, last]) => `${codePoint(first)}-${codePoint(last)}`).join("");
const TO_ESCAPE = new RegExp(`[${CLASS}]+`, "gu");

/** Most lines. */
const NOTHING_TO_ESCAPE = /^[ -;=?-~]*$/;

export function escapedJson(value: unknown): string {
  const json = JSON.stringify(value);
  return NOTHING_TO_ESCAPE.test(json) ? json : json.replace(TO_ESCAPE, escapes);
}

// A memory may hold thousands of such characters, so this is a plain loop.
function escapes(run: string): string {
  let escaped = "";
  for (let i = 0; i < run.length; i++) escaped += `\\u${run.charCodeAt(i).toString(16).padStart(4, "0")}`;
  return escaped;
}
