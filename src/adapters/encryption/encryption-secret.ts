// The secret that hashes of facts and digests of requests are made with, and seeds and questions of receipts encrypted. It
// is random, on record wrapped by ENCRYPTION_KEY, and stays the same when that key changes: so the same fact is still found, and
// receipts and their questions need not be written again.
import { createHmac } from "node:crypto";
import { digestHex } from "#core/encoding/digest.ts";
import { boundTo } from "#core/encrypted-blob.ts";
import type { EncryptionRecords, JobLocks } from "#ports.ts";
import { type Bytes, bytesCipher, derivedBytes, KEY_BYTES, randomBytes } from "./aes-gcm.ts";

export type EncryptionSecret = ReturnType<typeof secretOf>;

export interface SecretStore {
  readonly encryption: Pick<EncryptionRecords, "secrets" | "addSecret">;
  readonly locks: Pick<JobLocks, "exclusively">;
}

/** The secret on record, if one of these keys opens it, and the ids of the keys that it is wrapped by. */
export async function findSecret(
  { encryption }: Pick<SecretStore, "encryption">,
  keys: readonly EncryptionKey[],
): Promise<{ readonly bytes?: Bytes; readonly keyIds: readonly string[] }> {
  const wrapped = await encryption.secrets();
  const keyIds = [...wrapped.keys()];
  for (const { keyId, decrypt } of keys) {
    const own = wrapped.get(keyId);
    const bytes = own && decrypt(own, boundTo.secret(keyId));
    if (bytes !== undefined) return { bytes, keyIds };
  }
  return { keyIds };
}

/** Makes the secret if there is none, and wraps it with the first key. Undefined when it is wrapped by other keys alone. */
export async function ensureSecret(
  { encryption, locks }: SecretStore,
  keys: readonly EncryptionKey[],
): Promise<Bytes | undefined> {
  const [key] = keys;
  if (key === undefined) return undefined;
  // One process at a time, so that two of them with different keys do not make two secrets.
  return locks.exclusively("encryption-secret", async () => {
    const { bytes: found, keyIds } = await findSecret({ encryption }, keys);
    if (found === undefined && keyIds.length > 0) return undefined;
    const bytes = found ?? randomBytes(KEY_BYTES);
    if (!keyIds.includes(key.keyId))
      await encryption.addSecret(key.keyId, key.encrypt(bytes, boundTo.secret(key.keyId)));
    return bytes;
  });
}

export function secretOf(bytes: Bytes) {
  const hashKey = derivedBytes(bytes, "portcullis/encryption-secret/fact-hash/v1");
  return {
    /** Hex. */
    hashOf: (hashed: Uint8Array): string => createHmac("sha256", hashKey).update(hashed).digest("hex"),
    seeds: bytesCipher(bytes, "portcullis/encryption-secret/seed/v1"),
    questions: bytesCipher(bytes, "portcullis/encryption-secret/question/v1"),
    digestKey: derivedBytes(bytes, "portcullis/encryption-secret/digest/v1"),
  };
}

const KEY_ID_PREFIX = new TextEncoder().encode("portcullis/encryption-key/v1\0");
const KEY_ID_DIGITS = 16;

type EncryptionKey = ReturnType<typeof encryptionKeyOf>;

/** An ENCRYPTION_KEY of 32 bytes: it wraps the keys of memories, and encrypts nothing else. Its id helps to guess none. */
export function encryptionKeyOf(bytes: Uint8Array) {
  const keyId = digestHex(Buffer.concat([KEY_ID_PREFIX, bytes])).slice(0, KEY_ID_DIGITS);
  return { keyId, ...bytesCipher(bytes, "portcullis/encryption-key/wrap/v1") };
}
