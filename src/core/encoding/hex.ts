// Lowercase hex.
import { bytesToHex } from "@noble/hashes/utils.js";

type Encode = (bytes: Uint8Array) => string;

let encode: Encode = bytesToHex;

export function toHex(bytes: Uint8Array): string {
  return encode(bytes);
}

/** Replaces the implementation by a faster one. Throws if the two differ on a sample with every byte. */
export function setToHex(faster: Encode): void {
  const sample = Uint8Array.from({ length: 258 }, (_, i) => i).subarray(1, 257);
  if (faster(sample) !== bytesToHex(sample)) throw new Error("This is not hex.");
  encode = faster;
}
