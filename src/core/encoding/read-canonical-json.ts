// From raw bytes to the value they stand for, if they are its canonical JSON. JSON.parse forgives much that a digest
// does not: white space, the order of keys, keys that come twice, other spellings of a number or a character.

import type { Compared } from "#core/verify/check.ts";
import { canonicalJson } from "./canonical-json.ts";

/** `fault` continues a sentence that begins with "The blob". */
export type Reading = { readonly value: unknown } | { readonly fault: string; readonly compared?: Compared };

/** As deep as a body may be that brings a receipt; deeper ones could exhaust the stack of whoever writes them again. */
const DEEPEST = 32;
const EXCERPT = 48;

export function readCanonical(bytes: Uint8Array, byteLimit: number): Reading {
  if (bytes.byteLength > byteLimit) return { fault: `has more than ${byteLimit / 1024} KiB` };
  const text = attempt(() => decoder.decode(bytes));
  if (text === undefined) return { fault: "is not UTF-8 text" };
  const value = attempt((): unknown => JSON.parse(text));
  if (value === undefined) return { fault: "is not JSON" };
  if (!isShallow(value, DEEPEST)) return { fault: `is JSON that is nested more than ${DEEPEST} deep` };
  const canonical = attempt(() => canonicalJson(value));
  if (canonical === undefined) return { fault: "is JSON with a number or a character that has no canonical form" };
  if (canonical === text) return { value };
  return { fault: "is JSON, but not in its canonical form (RFC 8785)", compared: difference(canonical, text) };
}

// A byte order mark stays a character, so that it is noticed: without it the same text would have two sequences of bytes.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Undefined is not a JSON value, so it can stand for failure. What is thrown may quote the blob, and goes nowhere. */
function attempt<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}

function difference(expected: string, actual: string): Compared {
  let start = 0;
  while (expected[start] === actual[start]) start++;
  const excerpt = (text: string) => (start < text.length ? text.slice(start, start + EXCERPT).toWellFormed() : "(end)");
  return { expected: excerpt(expected), actual: excerpt(actual) };
}
