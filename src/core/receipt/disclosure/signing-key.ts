import { digestHex } from "#core/encoding/digest.ts";

const PREFIX = new TextEncoder().encode("portcullis/key/v1\0");
const ID_DIGITS = 32;

/** The id of an Ed25519 public key, which has 32 bytes. */
export function keyIdOf(publicKey: Uint8Array): string {
  const bytes = new Uint8Array(PREFIX.length + publicKey.length);
  bytes.set(PREFIX);
  bytes.set(publicKey, PREFIX.length);
  return digestHex(bytes).slice(0, ID_DIGITS);
}
