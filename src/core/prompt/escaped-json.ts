// JSON for a prompt: one line, no `<` or `>`, no invisible characters. Text in it cannot close a block of the prompt.

/**
 * First and last code point of each range that is escaped: `<`, `>`, and what Unicode 17.0 has in the categories Cf, Zl
 * and Zp, among them bidirectional controls, zero-width characters and line separators. It is a list because the prompt of
 * a receipt must have the same bytes for everyone who rebuilds it, whatever version of Unicode they have. A prompt
 * template fixes it: another list needs new templates.
 */
export const ESCAPED_RANGES = [
  "3c 3e ad 600-605 61c 6dd 70f 890-891 8e2 180e 200b-200f 2028-202e 2060-2064 2066-206f feff fff9-fffb",
  "110bd 110cd 13430-1343f 1bca0-1bca3 1d173-1d17a e0001 e0020-e007f",
].flatMap((line) =>
  line.split(" ").map((range): readonly [first: number, last: number] => {
    const [first = 0, last = first] = range.split("-").map((code) => Number.parseInt(code, 16));
    return [first, last];
  }),
);

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
