// A SEAL_KEY: it wraps the keys of memories, and encrypts nothing else.
import { digestHex } from "#core/encoding/digest.ts";
import { type Bytes, derivedBytes, openBytes, sealBytes } from "./aes-gcm.ts";

export interface SealKey {
  /** Tells keys apart. It does not help to guess one. */
  readonly keyId: string;
  /** `iv` must be random, and used once. */
  wrap(bytes: Uint8Array, boundTo: Uint8Array, iv?: Bytes): Uint8Array;
  /** Undefined when it was wrapped by another key, or is bound to something else. */
  unwrap(wrapped: Uint8Array, boundTo: Uint8Array): Bytes | undefined;
}

const KEY_ID_PREFIX = new TextEncoder().encode("portcullis/seal-key/v1\0");
const KEY_ID_DIGITS = 16;

/** Of 32 bytes. */
export function sealKeyOf(bytes: Uint8Array): SealKey {
  const key = derivedBytes(bytes, "portcullis/seal-key/wrap/v1");
  return {
    keyId: digestHex(Buffer.concat([KEY_ID_PREFIX, bytes])).slice(0, KEY_ID_DIGITS),
    wrap: (plaintext, boundTo, iv) => sealBytes(key, plaintext, boundTo, iv),
    unwrap: (wrapped, boundTo) => openBytes(key, wrapped, boundTo),
  };
}
