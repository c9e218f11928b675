// Canonical JSON (RFC 8785): a value has exactly one sequence of bytes. Blobs and digests are made from it.
import { orUndefined } from "#core/defined.ts";
import { PortcullisError } from "#core/errors.ts";

const LONE_SURROGATE = "must not contain lone surrogates";

/** Throws for lone surrogates, NaN, infinities and undefined. An undefined member is left out, as in JSON. */
export function canonicalJson(value: unknown): string {
  try {
    return isInOrder(value) ? JSON.stringify(value) : serialize(value);
  } catch (cause) {
    const detail = "it holds undefined, a lone surrogate or a number that is not finite";
    throw new PortcullisError("invalid-request", `The value has no canonical JSON (RFC 8785): ${detail}.`, { cause });
  }
}

/** Whether JSON.stringify writes the canonical form, much faster than to sort: what we make is in order. */
function isInOrder(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return value === null || typeof value === "boolean";
  if (Array.isArray(value)) {
    for (const element of value) if (!isInOrder(element)) return false;
    return true;
  }
  // An object of a class may have a `toJSON` that JSON.stringify would call.
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  let previous: string | undefined;
  for (const key in value) {
    if (previous !== undefined && !(previous < key)) return false;
    if (!key.isWellFormed()) return false;
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined && !isInOrder(member)) return false;
    previous = key;
  }
  return true;
}

/** The RFC takes its numbers and strings from JSON.stringify. Only the order of keys and the refusals are its own. */
function serialize(value: unknown): string {
  if (typeof value !== "object" || value === null) {
    if (!isInOrder(value)) throw new TypeError("undefined, a lone surrogate or a number that is not finite");
    return JSON.stringify(value);
  }
  return Array.isArray(value) ? `[${value.map(serialize).join(",")}]` : serializeObject(value);
}

function serializeObject(object: object): string {
  let members = "";
  // The default order of `sort` is the RFC's: by UTF-16 code units.
  for (const key of Object.keys(object).sort()) {
    const value = (object as Record<string, unknown>)[key];
    if (value === undefined) continue;
    members += `${members === "" ? "" : ","}${serialize(key)}:${serialize(value)}`;
  }
  return `{${members}}`;
}

const utf8 = new TextEncoder();

/** What the service signs of a value. No statement of one kind passes for one of another. */
export const statementBytes = (kind: string, value: unknown): Uint8Array =>
  utf8.encode(`portcullis/${kind}\0${canonicalJson(value)}`);

/** The path to a part of a JSON value that has no canonical form, and why; undefined if every part has one. */
export function canonicalFault(value: unknown): { path: PropertyKey[]; why: string } | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : { path: [], why: LONE_SURROGATE };
  if (typeof value === "number") return Number.isFinite(value) ? undefined : { path: [], why: "is too large a number" };
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    if (!key.isWellFormed()) return { path: [], why: `${LONE_SURROGATE} in its keys` };
    const fault = canonicalFault(member);
    if (fault !== undefined) return { path: [Array.isArray(value) ? Number(key) : key, ...fault.path], why: fault.why };
  }
  return undefined;
}

// Canonical JSON with a bound. It may be several times as long as the JSON that a value was read from: `1e20` becomes
// `100000000000000000000`. So the size is counted first, and a text that is too long is never built.

/** The canonical JSON, or undefined when it has more than `mostBytes` bytes as UTF-8. Throws as canonicalJson does. */
export const canonicalJsonWithin = (mostBytes: number, value: unknown): string | undefined =>
  sizeWithin(mostBytes, value) <= mostBytes ? canonicalJson(value) : undefined;

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

const stringSize = (text: string): number => utf8.encode(JSON.stringify(text)).length;

// Parses bytes that must be the canonical JSON of a value. JSON.parse accepts much that a digest does not: white space,
// any order of keys, duplicate keys, other forms of a number or a character.

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

export function isShallow(value: unknown, levels: number): boolean {
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
