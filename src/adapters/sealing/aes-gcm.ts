// AES-256-GCM. What is sealed is the iv of 12 bytes, the ciphertext, and the tag of 16 bytes. Texts are encrypted through Web
// Crypto, in a thread. Keys and seeds have 32 bytes, for which a thread costs more than the work.
import { createCipheriv, createDecipheriv, hkdfSync, webcrypto } from "node:crypto";
import { orUndefined } from "#core/or-undefined.ts";

const { subtle } = webcrypto;

export const IV_BYTES = 12;
export const KEY_BYTES = 32;
const TAG_BYTES = 16;

export const randomBytes = (length: number): Bytes => webcrypto.getRandomValues(new Uint8Array(length));

type Key = webcrypto.CryptoKey;
export type Bytes = Uint8Array<ArrayBuffer>;

export function importKey(bytes: Bytes): Promise<Key> {
  return subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** A key for one purpose (HKDF with SHA-256). */
export function derivedBytes(bytes: Uint8Array, purpose: string): Bytes {
  return new Uint8Array(hkdfSync("sha256", bytes, new Uint8Array(), purpose, KEY_BYTES));
}

/** `iv` must be random, and used once. */
export async function encrypt(key: Key, iv: Bytes, plaintext: Bytes, additionalData: Bytes): Promise<Bytes> {
  return new Uint8Array(await subtle.encrypt({ name: "AES-GCM", iv, additionalData }, key, plaintext));
}

/** Undefined when a byte differs, of the key or of the associated data too. */
export async function decrypt(key: Key, iv: Bytes, ciphertext: Bytes, additionalData: Bytes) {
  try {
    return new Uint8Array(await subtle.decrypt({ name: "AES-GCM", iv, additionalData }, key, ciphertext));
  } catch {
    return undefined;
  }
}

/** Seals a few bytes at once. `iv` must be random, and used once. */
export function sealBytes(
  key: Bytes,
  bytes: Uint8Array,
  additionalData: Uint8Array,
  iv = randomBytes(IV_BYTES),
): Buffer {
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(additionalData);
  return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined when a byte differs, of the key or of the associated data too. */
export function openBytes(key: Bytes, sealed: Uint8Array, additionalData: Uint8Array): Bytes | undefined {
  return orUndefined(() => {
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, IV_BYTES), options);
    decipher.setAAD(additionalData).setAuthTag(sealed.subarray(-TAG_BYTES));
    const parts = [decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()];
    return new Uint8Array(Buffer.concat(parts));
  });
}
