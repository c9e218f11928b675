// SHA-256 and HMAC-SHA-256, for the log's tree and entries.
import { sha256 as javaScriptSha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { toHex } from "#core/encoding/digest.ts";

type Hash = (bytes: Uint8Array) => Uint8Array;

let hash: Hash = javaScriptSha256;
const BLOCK_BYTES = 64;

export const sha256: Hash = (bytes) => hash(bytes);

/** Replaces the implementation by a faster one. Throws if the two differ on samples around the block length. */
export function setSha256(faster: Hash): void {
  for (const length of [0, 1, 55, 56, 64, 65, 1_000]) {
    const sample = Uint8Array.from({ length }, (_, i) => i);
    if (toHex(faster(sample)) !== toHex(javaScriptSha256(sample))) throw new Error("This is not SHA-256.");
  }
  hash = faster;
}

/** The key has up to 64 bytes. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const padded = (byte: number) => Uint8Array.from({ length: BLOCK_BYTES }, (_, i) => (key[i] ?? 0) ^ byte);
  return sha256(concatBytes(padded(0x5c), sha256(concatBytes(padded(0x36), message))));
}
