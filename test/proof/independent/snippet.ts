import { codePoints } from "./proof-page.ts";

const isWhiteSpace = codePoints("whiteSpace");
const LENGTH = 160;

/** The snippet of a text, by the section "A memory and its blob" of docs/proof.md. */
export function snippetOf(content: string): string {
  const line: string[] = [];
  for (const character of content) {
    if (!isWhiteSpace(character.codePointAt(0) as number)) line.push(character);
    else if (line.length > 0 && line.at(-1) !== " ") line.push(" ");
  }
  if (line.at(-1) === " ") line.pop();
  if (line.length <= LENGTH) return line.join("");
  const start = line.slice(0, LENGTH);
  if (start.at(-1) === " ") start.pop();
  return `${start.join("")}…`;
}
