// Names, docstrings and lines of Python.

export const HEADER = "# Generated from openapi.json by `npm run openapi`. Change the contract, not this file.";

const WIDTH = 120;

const KEYWORDS = [
  "and",
  "as",
  "class",
  "def",
  "del",
  "from",
  "global",
  "import",
  "in",
  "is",
  "lambda",
  "not",
  "or",
  "with",
];
/** Attributes of pydantic's base class. */
const TAKEN = ["construct", "copy", "dict", "fields", "json", "schema", "validate"];
const RESERVED: ReadonlySet<string> = new Set([...KEYWORDS, ...TAKEN]);

/** The name in Python of a member. `wire_name` of the base class finds the way back. */
export function snake(name: string): string {
  const text = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const back = text.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  if (back !== name) throw new Error(`${name} would be ${back} when it comes back from Python.`);
  return RESERVED.has(text) ? `${text}_` : text;
}

/** The name of a class: of `policy-changed` and `policyChanged` it is `PolicyChanged`. */
export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[-_ ])(.)/g, (_, letter: string) => letter.toUpperCase());

export function singular(name: string): string {
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  return /[^s]s$/.test(name) ? name.slice(0, -1) : name;
}

/** `head` + items + `tail` on one line, or with an item on each. `margin`: how far it is indented at last. */
export function bracketed(head: string, items: readonly string[], tail: string, margin = 0): string {
  const line = `${head}${items.join(", ")}${tail}`;
  if (items.length === 0 || (line.length + margin <= WIDTH && !line.includes("\n"))) return line;
  const indent = /^ */.exec(head)?.[0] ?? "";
  const inner = items.map((item) => `${indent}    ${item.replaceAll("\n", `\n${indent}    `)},\n`).join("");
  return `${head}\n${inner}${indent}${tail}`;
}

/** Words in lines of at most `WIDTH` characters. */
function filled(text: string, first: string, rest: string): string {
  const lines = [first];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) as string;
    const isEmpty = line.trim() === "" || line === first;
    if (!isEmpty && line.length + 1 + word.length > WIDTH - 3) lines.push(`${rest}${word}`);
    else lines[lines.length - 1] = isEmpty ? `${line}${word}` : `${line} ${word}`;
  }
  return lines.join("\n");
}

export interface Doc {
  readonly text: readonly string[];
  readonly args?: readonly (readonly [name: string, text: string])[];
}

/** A docstring of paragraphs, and of the arguments that have something to say. */
export function docstring({ text, args = [] }: Doc, indent: string): string {
  const paragraphs = text.map((each, i) => filled(escaped(each), i === 0 ? `${indent}"""` : indent, indent));
  const said = args.filter(([, about]) => about !== "");
  if (said.length === 0 && paragraphs.length === 1 && !paragraphs[0]?.includes("\n")) return `${paragraphs[0]}"""`;
  const list = said.map(([name, about]) => filled(escaped(about), `${indent}    ${name}: `, `${indent}        `));
  const all = said.length === 0 ? paragraphs : [...paragraphs, [`${indent}Args:`, ...list].join("\n")];
  return `${all.join("\n\n")}\n${indent}"""`;
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll('"""', "'''");
