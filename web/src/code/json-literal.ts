// JSON that can stand in a shell command and in a program, and looks like what it is: characters that are invisible, or
// change how their neighbours look, are escaped.
const HIDDEN =
  /[\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0]|[\u{e0000}-\u{e0fff}]|\p{Cs}/gu;

export function jsonLiteral(value: unknown, indent?: number): string {
  return (JSON.stringify(value, null, indent) ?? "null").replace(HIDDEN, escaped);
}

/**
 * A key `__proto__` in a program would set the prototype. In brackets it is a key like others. Each key begins a line, so
 * that the end of a longer one is not taken for it.
 */
export const programLiteral = (value: unknown): string =>
  jsonLiteral(value, 2).replaceAll(/^( *)"__proto__":/gm, '$1["__proto__"]:');

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, i) => {
    const unit = character.charCodeAt(i).toString(16).padStart(4, "0");
    return `\\u${unit}`;
  }).join("");
