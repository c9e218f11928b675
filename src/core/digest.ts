// blake2b256, the hash that Sui and Walrus use. It is not blake2b512 cut short: the length is part of the parameters.
import { blake2b } from "@noble/hashes/blake2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { canonicalBytes } from "./canonical.ts";

const utf8 = new TextEncoder();

export function blake2b256(bytes: Uint8Array): Uint8Array {
  return blake2b(bytes, { dkLen: 32 });
}

export function digestHex(bytes: Uint8Array): string {
  return bytesToHex(blake2b256(bytes));
}

/** The digest of a text's UTF-8 bytes. */
export function digestOfText(text: string): string {
  return digestHex(utf8.encode(text));
}

/** The digest of a value's canonical JSON. */
export function digestOf(value: unknown): string {
  return digestHex(canonicalBytes(value));
}
