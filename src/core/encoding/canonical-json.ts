// Canonical JSON (RFC 8785): a value has exactly one sequence of bytes. Blobs and digests are made from it.
import { PortcullisError } from "#core/errors.ts";

const LONE_SURROGATE = "must not contain lone surrogates";

/**
 * Throws for values without a canonical form: lone surrogates, NaN, infinities, undefined. A member of an object that is
 * undefined is left out, as in JSON.stringify.
 */
export function canonicalJson(value: unknown): string {
  try {
    return isInOrder(value) ? JSON.stringify(value) : serialize(value);
  } catch (cause) {
    const detail = "it holds undefined, a lone surrogate or a number that is not finite";
    throw new PortcullisError("invalid-request", `The value has no canonical JSON (RFC 8785): ${detail}.`, { cause });
  }
}

/**
 * Whether JSON.stringify writes the canonical form as it is: every key is in its place, and every part has a form. What
 * the service makes itself is in order, and then this is much faster than to sort and join.
 */
function isInOrder(value: unknown): boolean {
  switch (typeof value) {
    case "string":
      return value.isWellFormed();
    case "number":
      return Number.isFinite(value);
    case "boolean":
      return true;
    case "object":
      if (value === null) return true;
      return Array.isArray(value) ? value.every(isInOrder) : isObjectInOrder(value);
    default:
      return false;
  }
}

function isObjectInOrder(object: object): boolean {
  // An object of a class may have a `toJSON` that JSON.stringify would call.
  if (Object.getPrototypeOf(object) !== Object.prototype) return false;
  let previous: string | undefined;
  for (const key in object) {
    if (previous !== undefined && !(previous < key)) return false;
    if (!key.isWellFormed()) return false;
    const value = (object as Record<string, unknown>)[key];
    if (value !== undefined && !isInOrder(value)) return false;
    previous = key;
  }
  return true;
}

/** The RFC takes its numbers and strings from JSON.stringify. Only the order of keys and the refusals are its own. */
function serialize(value: unknown): string {
  switch (typeof value) {
    case "string":
      return serializeString(value);
    case "number":
      if (!Number.isFinite(value)) throw new TypeError("not a finite number");
      return String(value);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? `[${value.map(serialize).join(",")}]` : serializeObject(value);
    default:
      throw new TypeError(`a ${typeof value} is not JSON`);
  }
}

function serializeString(text: string): string {
  if (!text.isWellFormed()) throw new TypeError("a lone surrogate");
  return JSON.stringify(text);
}

function serializeObject(object: object): string {
  let members = "";
  // The default order of `sort` is the RFC's: by UTF-16 code units.
  for (const key of Object.keys(object).sort()) {
    const value = (object as Record<string, unknown>)[key];
    if (value === undefined) continue;
    members += `${members === "" ? "" : ","}${serializeString(key)}:${serialize(value)}`;
  }
  return `{${members}}`;
}

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
