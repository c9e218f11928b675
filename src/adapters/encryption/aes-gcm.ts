// AES-256-GCM. What is encrypted is the iv of 12 bytes, the ciphertext, and the tag of 16 bytes. Texts are encrypted through Web
// Crypto, in a thread. Keys and seeds have 32 bytes, for which a thread costs more than the work.
import { createCipheriv, createDecipheriv, hkdfSync, webcrypto } from "node:crypto";
import { orUndefined } from "#core/defined.ts";

const { subtle } = webcrypto;

export const IV_BYTES = 12;
export const KEY_BYTES = 32;
const TAG_BYTES = 16;

export const randomBytes = (length: number): Bytes => webcrypto.getRandomValues(new Uint8Array(length));

type Key = webcrypto.CryptoKey;
export type Bytes = Uint8Array<ArrayBuffer>;

export const importKey = (bytes: Bytes): Promise<Key> =>
  subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);

/** A key for one purpose (HKDF with SHA-256). */
export const derivedBytes = (bytes: Uint8Array, purpose: string): Bytes =>
  new Uint8Array(hkdfSync("sha256", bytes, new Uint8Array(), purpose, KEY_BYTES));

/** `iv` must be random, and used once. */
export const encrypt = async (key: Key, iv: Bytes, plaintext: Bytes, additionalData: Bytes): Promise<Bytes> =>
  new Uint8Array(await subtle.encrypt({ name: "AES-GCM", iv, additionalData }, key, plaintext));

/** Undefined when a byte differs, of the key or of the associated data too. */
export async function decrypt(key: Key, iv: Bytes, ciphertext: Bytes, additionalData: Bytes) {
  const decrypted = await subtle
    .decrypt({ name: "AES-GCM", iv, additionalData }, key, ciphertext)
    .catch(() => undefined);
  return decrypted && new Uint8Array(decrypted);
}

export function bytesCipher(secret: Uint8Array, purpose: string) {
  const key = derivedBytes(secret, purpose);
  return {
    /** `iv` must be random, and used once. */
    encrypt(bytes: Uint8Array, boundTo: Uint8Array, iv = randomBytes(IV_BYTES)): Uint8Array {
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(boundTo);
      return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    },
    /** Undefined if a byte differs, it was encrypted with another key, or it is bound to something else. */
    decrypt: (encrypted: Uint8Array, boundTo: Uint8Array): Bytes | undefined =>
      orUndefined(() => {
        const options = { authTagLength: TAG_BYTES };
        const decipher = createDecipheriv("aes-256-gcm", key, encrypted.subarray(0, IV_BYTES), options);
        decipher.setAAD(boundTo).setAuthTag(encrypted.subarray(-TAG_BYTES));
        const parts = [decipher.update(encrypted.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()];
        return new Uint8Array(Buffer.concat(parts));
      }),
  };
}
