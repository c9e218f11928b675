import { blake2b256 } from "./digest.ts";

/** The blob id that the mock store gives these bytes: base64url of their blake2b256. Walrus derives its ids otherwise. */
export function contentAddress(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...blake2b256(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
