// Canonical JSON (RFC 8785): a value has exactly one sequence of bytes. Blobs and digests are made from it.
import canonicalize from "canonicalize";
import { PortcullisError } from "#core/errors.ts";

const LONE_SURROGATE = "must not contain lone surrogates";

/** Throws for values without a canonical form: lone surrogates, NaN, infinities, undefined. */
export function canonicalJson(value: unknown): string {
  let cause: unknown;
  try {
    const text = canonicalize(value);
    if (text !== undefined) return text;
  } catch (error) {
    cause = error;
  }
  const detail = "it holds undefined, a lone surrogate or a number that is not finite";
  throw new PortcullisError("invalid-request", `The value has no canonical JSON (RFC 8785): ${detail}.`, { cause });
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
