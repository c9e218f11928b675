// Canonical JSON (RFC 8785): one value, one sequence of bytes. What is stored as a blob and what is hashed is this.
import canonicalize from "canonicalize";
import { PortcullisError } from "./errors.ts";

const utf8 = new TextEncoder();

/** Throws for what JSON cannot say the same way twice: lone surrogates, NaN, infinities, undefined. */
export function canonicalJson(value: unknown): string {
  const text = attempt(value);
  if (text === undefined) throw new PortcullisError("invalid-request", "The value has no canonical JSON.");
  return text;
}

export function canonicalBytes(value: unknown): Uint8Array {
  return utf8.encode(canonicalJson(value));
}

function attempt(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch (cause) {
    throw new PortcullisError(
      "invalid-request",
      "The value has no canonical JSON (RFC 8785): it holds a lone surrogate or a number that is not finite.",
      { cause },
    );
  }
}
