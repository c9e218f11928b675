// JSON for a prompt: one line, no `<` or `>`, no invisible characters. Text in it cannot close a block of the prompt, and
// a person who reads the prompt sees what the model reads.

// Bidirectional controls, zero-width characters and line separators are among \p{Cf}, \p{Zl} and \p{Zp}.
const TO_ESCAPE = /[<>\p{Cf}\p{Zl}\p{Zp}]+/gu;

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
