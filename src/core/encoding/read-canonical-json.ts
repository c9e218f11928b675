// Parses bytes that must be the canonical JSON of a value. JSON.parse accepts much that a digest does not: white space,
// any order of keys, duplicate keys, other forms of a number or a character.
import { orUndefined } from "#core/or-undefined.ts";
import { canonicalJsonWithin } from "./bounded-canonical-json.ts";

interface Fault {
  /** Continues a sentence that begins with "The blob". */
  readonly fault: string;
  /** Excerpts from the point where the text leaves the canonical form. */
  readonly compared?: { readonly expected: string; readonly actual: string };
}

/** The deepest nesting of a request with a receipt. A deeper value could exhaust the stack when it is serialized. */
const MAX_DEPTH = 32;
const EXCERPT_LENGTH = 48;

export function readCanonical(bytes: Uint8Array, byteLimit: number): { readonly value: unknown } | Fault {
  if (bytes.byteLength > byteLimit) return { fault: `has more than ${byteLimit / 1024} KiB` };
  const text = orUndefined(() => decoder.decode(bytes));
  if (text === undefined) return { fault: "is not UTF-8 text" };
  const value = orUndefined((): unknown => JSON.parse(text));
  if (value === undefined) return { fault: "is not JSON" };
  if (!isShallow(value, MAX_DEPTH)) return { fault: `is JSON that is nested more than ${MAX_DEPTH} deep` };
  const written = orUndefined(() => ({ text: canonicalJsonWithin(byteLimit, value) }));
  if (written === undefined) return { fault: "is JSON with a number or a character that has no canonical form" };
  const canonical = written.text;
  if (canonical === undefined) return { fault: `is JSON whose canonical form has more than ${byteLimit / 1024} KiB` };
  if (canonical === text) return { value };
  return { fault: "is JSON, but not in its canonical form (RFC 8785)", compared: firstDifference(canonical, text) };
}

// A byte order mark stays in the text, so that it is noticed: otherwise one text would have two sequences of bytes.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}

function firstDifference(expected: string, actual: string): Required<Fault>["compared"] {
  let start = 0;
  while (expected[start] === actual[start]) start++;
  const excerpt = (text: string) =>
    start < text.length ? text.slice(start, start + EXCERPT_LENGTH).toWellFormed() : "(end)";
  return { expected: excerpt(expected), actual: excerpt(actual) };
}
