// AES-256-GCM through Web Crypto. Every encryption has a random iv of 12 bytes.
import { hkdfSync, type webcrypto } from "node:crypto";

const { subtle } = globalThis.crypto;

export const IV_BYTES = 12;
export const KEY_BYTES = 32;

export const randomBytes = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length));

export type Key = webcrypto.CryptoKey;
export type Bytes = Uint8Array<ArrayBuffer>;

export function importKey(bytes: Bytes): Promise<Key> {
  return subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** A key for one purpose (HKDF with SHA-256). */
export function derivedBytes(bytes: Uint8Array, purpose: string): Bytes {
  return new Uint8Array(hkdfSync("sha256", bytes, new Uint8Array(), purpose, KEY_BYTES));
}

/** The iv, then the ciphertext with its tag. */
export async function encrypt(key: Key, plaintext: Bytes, additionalData: Bytes): Promise<Bytes> {
  const iv = randomBytes(IV_BYTES);
  const ciphertext = await subtle.encrypt({ name: "AES-GCM", iv, additionalData }, key, plaintext);
  const sealed = new Uint8Array(IV_BYTES + ciphertext.byteLength);
  sealed.set(iv);
  sealed.set(new Uint8Array(ciphertext), IV_BYTES);
  return sealed;
}

/** Undefined when a byte differs, of the key or of the associated data too. */
export async function decrypt(key: Key, sealed: Bytes, additionalData: Bytes): Promise<Bytes | undefined> {
  try {
    const iv = sealed.subarray(0, IV_BYTES);
    return new Uint8Array(
      await subtle.decrypt({ name: "AES-GCM", iv, additionalData }, key, sealed.subarray(IV_BYTES)),
    );
  } catch {
    return undefined;
  }
}
