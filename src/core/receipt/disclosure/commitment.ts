// Salted commitments to private fields, as SD-JWT has them. A commitment tells nothing about its value, because the salt is
// random to everybody who was not given it, and nobody can find another value for it.
import { bytesToHex } from "@noble/hashes/utils.js";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { blake2b256, keyedBlake2b256 } from "#core/encoding/digest.ts";

const utf8 = new TextEncoder();
const PREFIX = utf8.encode("portcullis/commit/v2\0");
const SALT_BYTES = 32;

/** Prefix, salt and value on their way to the hash. Most values fit, and then no array is made for them. */
const scratch = new Uint8Array(64 * 1024);
scratch.set(PREFIX);
const VALUE_START = PREFIX.length + SALT_BYTES;
const MOST_BYTES_PER_UNIT = 3;

/** The bytes of paths. Our receipts have the same ones again and again; a receipt from elsewhere may have any. */
const encodedPaths = new Map<string, Uint8Array>();
const MOST_ENCODED = 256;

function encodePath(path: string): Uint8Array {
  const encoded = encodedPaths.get(path) ?? utf8.encode(path);
  if (encodedPaths.size < MOST_ENCODED) encodedPaths.set(path, encoded);
  return encoded;
}

/** The salt of a field. The seed opens all fields of its receipt, and a salt opens one. */
export function saltOf(seed: Uint8Array, path: string): Uint8Array {
  return keyedBlake2b256(seed, encodePath(path));
}

/** The commitment to a value, hex. */
export function commitmentTo(salt: Uint8Array, value: unknown): string {
  const json = canonicalJson(value);
  const isLong = VALUE_START + json.length * MOST_BYTES_PER_UNIT > scratch.length;
  const bytes = isLong ? new Uint8Array(VALUE_START + json.length * MOST_BYTES_PER_UNIT) : scratch;
  if (isLong) bytes.set(PREFIX);
  bytes.set(salt, PREFIX.length);
  const { written } = utf8.encodeInto(json, bytes.subarray(VALUE_START));
  return bytesToHex(blake2b256(bytes.subarray(0, VALUE_START + written)));
}
