// Canonical JSON as docs/proof.md describes it. Nothing here, and in no file of this folder, is imported from the service:
// the folder is a verifier written from that page.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const SHORT = new Map([
  [0x22, '\\"'],
  [0x5c, "\\\\"],
  [0x08, "\\b"],
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0c, "\\f"],
  [0x0d, "\\r"],
]);

const unitEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;

/** A JSON string. `isEscaped` names further code points that are written as their UTF-16 code units. */
export function jsonString(text: string, isEscaped: (codePoint: number) => boolean = () => false): string {
  let written = "";
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    if (code >= 0xd800 && code <= 0xdfff) throw new Error("a lone surrogate has no canonical form");
    const isUnits = isEscaped(code) || (code < 0x20 && !SHORT.has(code));
    written += isUnits ? [...unitsOf(character)].map(unitEscape).join("") : (SHORT.get(code) ?? character);
  }
  return `"${written}"`;
}

function* unitsOf(text: string): Generator<number> {
  for (let i = 0; i < text.length; i++) yield text.charCodeAt(i);
}

export function canonicalJson(value: Json): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return jsonString(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new Error("JSON has no such number");
    return String(value === 0 ? 0 : value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value as { readonly [key: string]: Json });
  // `<` compares strings by UTF-16 code units, which is the order of RFC 8785.
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${jsonString(key)}:${canonicalJson(member)}`).join(",")}}`;
}
