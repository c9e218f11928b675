// What docs/proof.md leaves to its data file, and its examples: fenced blocks, by the name after the word `text` or `json`.
// To read them from there is what keeps both true.
import { readFileSync } from "node:fs";

const read = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8");
const page = read("proof.md");

type Range = readonly [first: string, last: string, note?: string];

/** docs/proof-data.json. */
export const data = JSON.parse(read("proof-data.json")) as {
  readonly templates: Readonly<Record<string, readonly string[]>>;
  readonly texts: Readonly<Record<string, string>>;
  readonly escaped: readonly Range[];
  readonly whiteSpace: readonly Range[];
  readonly smallOrder: readonly string[];
};

/** The lines of the block of that name. */
export function block(name: string): string {
  const [, body] = new RegExp(`^\`\`\`(?:text|json) ${name}\\n([^]*?)\\n\`\`\`$`, "m").exec(page) ?? [];
  if (body === undefined) throw new Error(`docs/proof.md has no block ${name}`);
  return body;
}

/** Whether a code point is in one of these lists. */
export function codePoints(name: "escaped" | "whiteSpace"): (codePoint: number) => boolean {
  const ranges = data[name].map(([first, last]) => [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const);
  return (codePoint) => ranges.some(([first, last]) => first <= codePoint && codePoint <= last);
}
