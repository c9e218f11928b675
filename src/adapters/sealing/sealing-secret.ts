// The secret that hashes of facts are made, and seeds and questions of receipts encrypted. It is random, on record wrapped
// by SEAL_KEY, and stays the same when that key changes: so the same fact is still found, and receipts and their questions
// need not be written again.
import { createHmac } from "node:crypto";
import { boundTo } from "#core/sealed-blob.ts";
import type { JobLocks, SealRecords } from "#ports.ts";
import { type Bytes, derivedBytes, KEY_BYTES, openBytes, randomBytes, sealBytes } from "./aes-gcm.ts";
import type { SealKey } from "./seal-key.ts";

export interface SealingSecret {
  /** Hex. */
  hashOf(bytes: Uint8Array): string;
  sealSeed(seed: Uint8Array, boundTo: Uint8Array): Uint8Array;
  /** Undefined when a byte differs, or it is bound to something else. */
  openSeed(sealed: Uint8Array, boundTo: Uint8Array): Uint8Array | undefined;
  sealQuestion(question: Uint8Array, boundTo: Uint8Array): Uint8Array;
  /** Undefined as above. */
  openQuestion(sealed: Uint8Array, boundTo: Uint8Array): Uint8Array | undefined;
}

export interface SecretStore {
  readonly seals: Pick<SealRecords, "secrets" | "addSecret">;
  readonly locks: Pick<JobLocks, "exclusively">;
}

/** The secret on record, if one of these keys opens it. `isOther` says that there is one that none of them opens. */
export async function findSecret(
  { seals }: Pick<SecretStore, "seals">,
  keys: readonly SealKey[],
): Promise<{ readonly bytes?: Bytes; readonly keyIds: readonly string[] }> {
  const wrapped = await seals.secrets();
  for (const { keyId, unwrap } of keys) {
    const own = wrapped.get(keyId);
    const bytes = own && unwrap(own, boundTo.secret(keyId));
    if (bytes !== undefined) return { bytes, keyIds: [...wrapped.keys()] };
  }
  return { keyIds: [...wrapped.keys()] };
}

/** Makes the secret if there is none, and wraps it with the first key. Undefined when it is wrapped by other keys alone. */
export async function ensureSecret(
  { seals, locks }: SecretStore,
  keys: readonly SealKey[],
): Promise<Bytes | undefined> {
  const [key] = keys;
  if (key === undefined) return undefined;
  // One process at a time, so that two of them with different keys do not make two secrets.
  return locks.exclusively("sealing-secret", async () => {
    const { bytes: found, keyIds } = await findSecret({ seals }, keys);
    if (found === undefined && keyIds.length > 0) return undefined;
    const bytes = found ?? randomBytes(KEY_BYTES);
    if (!keyIds.includes(key.keyId)) await seals.addSecret(key.keyId, key.wrap(bytes, boundTo.secret(key.keyId)));
    return bytes;
  });
}

export function secretOf(bytes: Bytes): SealingSecret {
  const hashKey = derivedBytes(bytes, "portcullis/sealing-secret/fact-hash/v1");
  const questionKey = derivedBytes(bytes, "portcullis/sealing-secret/question/v1");
  const seedKey = derivedBytes(bytes, "portcullis/sealing-secret/seed/v1");
  return {
    hashOf: (hashed) => createHmac("sha256", hashKey).update(hashed).digest("hex"),
    sealSeed: (seed, boundTo) => sealBytes(seedKey, seed, boundTo),
    openSeed: (sealed, boundTo) => openBytes(seedKey, sealed, boundTo),
    sealQuestion: (question, boundTo) => sealBytes(questionKey, question, boundTo),
    openQuestion: (sealed, boundTo) => openBytes(questionKey, sealed, boundTo),
  };
}
