// Signs receipts. The key lives with the records, so that replicas share it and follow a rotation soon.
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { PortcullisError } from "#core/errors.ts";
import type { Signature } from "#core/receipt/receipt.ts";
import { keyIdOf } from "#core/receipt/signature.ts";
import type { RecordStore, SigningKey } from "#ports.ts";

type KeyRecords = Pick<RecordStore, "signingKeys" | "locks">;

export type ReceiptSigner = ReturnType<typeof createReceiptSigner>;

const FOLLOW_MS = 5_000;
/** As many as a gate on the ledger holds. */
const MOST_SIGNING_KEYS = 32;

interface LoadedKey {
  readonly keyId: string;
  readonly key: KeyObject;
  readonly readAt: number;
}

export function createReceiptSigner(records: KeyRecords, now: () => Date, followMs = FOLLOW_MS) {
  let loaded: LoadedKey | undefined;
  let loading: Promise<LoadedKey> | undefined;

  async function load(): Promise<LoadedKey> {
    const { keyId, privateKey } = await signingKey(records, now());
    loaded = { keyId, key: loaded?.keyId === keyId ? loaded.key : keyObjectOf(privateKey), readAt: performance.now() };
    return loaded;
  }

  function current(): LoadedKey | Promise<LoadedKey> {
    if (loaded !== undefined && performance.now() - loaded.readAt < followMs) return loaded;
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  return {
    /** The bytes begin with a prefix that says what they are. */
    async signBytes(bytes: Uint8Array): Promise<Signature> {
      const { keyId, key } = await current();
      return { keyId, value: sign(null, bytes, key).toString("base64url") };
    },
  };
}

/** The key that signs. The first process to ask makes it. */
async function signingKey(records: KeyRecords, now: Date): Promise<SigningKey> {
  const { signing } = records.signingKeys;
  const made = async () => (await signing()) ?? addSigningKey(records, now);
  return (await signing()) ?? records.locks.exclusively("signing-key", made);
}

/** Makes a key that signs from now on: it is newer than the others, also when the clock is behind. */
export async function addSigningKey({ signingKeys }: Pick<KeyRecords, "signingKeys">, now: Date): Promise<SigningKey> {
  const others = await signingKeys.list();
  if (others.length >= MOST_SIGNING_KEYS) {
    const message = `There are ${MOST_SIGNING_KEYS} keys already, ended ones included. The policy object on the ledger holds no more.`;
    throw new PortcullisError("limit-reached", message);
  }
  const newest = Math.max(now.getTime(), ...others.map(({ createdAt }) => Date.parse(createdAt) + 1));
  const { d, x } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const publicKey = Buffer.from(x ?? "", "base64url");
  const privateKey = Buffer.from(d ?? "", "base64url");
  const key = { keyId: keyIdOf(publicKey), publicKey, privateKey, createdAt: new Date(newest).toISOString() };
  await signingKeys.add(key);
  return key;
}

/** What DER puts before the 32 bytes of an Ed25519 key (RFC 8410). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/** Of the 32 bytes of an Ed25519 key. */
export const keyObjectOf = (privateKey: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, privateKey]), format: "der", type: "pkcs8" });
