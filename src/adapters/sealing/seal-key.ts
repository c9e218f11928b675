// A SEAL_KEY: it wraps the keys of memories, and encrypts nothing else.
import { digestHex } from "#core/encoding/digest.ts";
import { type Bytes, decrypt, derivedBytes, encrypt, importKey } from "./aes-gcm.ts";

export interface SealKey {
  /** Tells keys apart. It does not help to guess one. */
  readonly keyId: string;
  wrap(bytes: Bytes, boundTo: Bytes): Promise<Bytes>;
  /** Undefined when it was wrapped by another key, or is bound to something else. */
  unwrap(wrapped: Bytes, boundTo: Bytes): Promise<Bytes | undefined>;
}

const KEY_ID_PREFIX = new TextEncoder().encode("portcullis/seal-key/v1\0");
const KEY_ID_DIGITS = 16;

/** Of 32 bytes. */
export async function sealKeyOf(bytes: Uint8Array): Promise<SealKey> {
  const key = await importKey(derivedBytes(bytes, "portcullis/seal-key/wrap/v1"));
  return {
    keyId: digestHex(Buffer.concat([KEY_ID_PREFIX, bytes])).slice(0, KEY_ID_DIGITS),
    wrap: (plaintext, boundTo) => encrypt(key, plaintext, boundTo),
    unwrap: (wrapped, boundTo) => decrypt(key, wrapped, boundTo),
  };
}
