// SHA-256, for the log's tree and entries.
import { sha256 as javaScriptSha256 } from "@noble/hashes/sha2.js";
import { type Hash, requireKnown } from "#core/encoding/digest.ts";

let hash: Hash = javaScriptSha256;

export const sha256: Hash = (bytes) => hash(bytes);

/** Larger arrays than this are rare here, and each costs more to allocate than to hash. */
const scratch = new Uint8Array(4_096);

/** Of the parts, one after the other. */
export function sha256Of(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const bytes = length > scratch.length ? new Uint8Array(length) : scratch.subarray(0, length);
  let place = 0;
  for (const part of parts) {
    bytes.set(part, place);
    place += part.length;
  }
  return hash(bytes);
}

/** Replaces the implementation by a faster one. Throws if that has other digests of samples. */
export function setSha256(faster: Hash): void {
  requireKnown("SHA-256", faster, "f02b0ea86a7cc71a7b4616ab47099b1001bbdc4d05b4a0a11135263830a6c041");
  hash = faster;
}
