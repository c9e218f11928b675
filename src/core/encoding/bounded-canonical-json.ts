// Canonical JSON with a bound. It may be several times as long as the JSON that a value was read from: `1e20` becomes
// `100000000000000000000`. So the size is counted first, and a text that is too long is never built.
import { canonicalJson } from "./canonical-json.ts";

/** The canonical JSON, or undefined when it has more than `mostBytes` bytes as UTF-8. Throws as canonicalJson does. */
export function canonicalJsonWithin(mostBytes: number, value: unknown): string | undefined {
  return sizeWithin(mostBytes, value) <= mostBytes ? canonicalJson(value) : undefined;
}

/** The size of the canonical JSON in bytes. Counts no further once it is above `most`. */
function sizeWithin(most: number, value: unknown): number {
  if (typeof value === "string") return stringSize(value);
  if (typeof value !== "object" || value === null) return String(value).length;
  // Each member comes with a bracket or comma before it. The closing bracket is the one more.
  let size = 1;
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    size += 1 + (Array.isArray(value) ? 0 : stringSize(key) + 1) + sizeWithin(most - size, member);
    if (size > most) return size;
  }
  return Math.max(size, "{}".length);
}

const SHORT_ESCAPES = new Set('\b\t\n\f\r"\\');

function stringSize(text: string): number {
  let size = '""'.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x800) size += isSurrogate(unit) ? 2 : 3;
    else if (unit >= 0x80) size += 2;
    else if (unit < 0x20 || unit === QUOTE || unit === BACKSLASH) size += SHORT_ESCAPES.has(text.charAt(i)) ? 2 : 6;
    else size += 1;
  }
  return size;
}

/** Half of a character of four bytes. */
const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
