// The lists and texts of docs/proof.md that a program needs: its fenced blocks, by the name after the word `text` or
// `json`. To read them from the page is what keeps the page true.
import { readFileSync } from "node:fs";

const page = readFileSync(new URL("../../../docs/proof.md", import.meta.url), "utf8");

/** The lines of the block of that name. */
export function block(name: string): string {
  const [, body] = new RegExp(`^\`\`\`(?:text|json) ${name}\\n([^]*?)\\n\`\`\`$`, "m").exec(page) ?? [];
  if (body === undefined) throw new Error(`docs/proof.md has no block ${name}`);
  return body;
}

/** Whether a code point is in a block of lines such as `U+00AD` and `U+0600..U+0605`, which may end with a comment. */
export function codePoints(name: string): (codePoint: number) => boolean {
  const ranges = block(name)
    .split("\n")
    .map((line) => {
      const [, first, last = first] = /^U\+([0-9A-F]{4,6})(?:\.\.U\+([0-9A-F]{4,6}))?(?: {2,}.*)?$/.exec(line) ?? [];
      if (first === undefined || last === undefined) throw new Error(`not a code point: ${line}`);
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
    });
  return (codePoint) => ranges.some(([first, last]) => first <= codePoint && codePoint <= last);
}
