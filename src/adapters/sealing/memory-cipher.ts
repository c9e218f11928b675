// The cipher of sealed memories: AES-256-GCM with a random key for each memory, which SEAL_KEY wraps.
import { coalesce } from "#async/coalesce.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Fact, Seal } from "#core/memory.ts";
import {
  boundTo,
  hashedFact,
  paddedFact,
  paddedQuestion,
  readPaddedFact,
  readPaddedQuestion,
  readSealedBlob,
  sealedBlobText,
} from "#core/sealed-blob.ts";
import type { MemoryCipher, SealedMemory } from "#ports.ts";
import { decrypt, encrypt, IV_BYTES, importKey, KEY_BYTES, randomBytes } from "./aes-gcm.ts";
import { noCipher } from "./no-cipher.ts";
import { createOpenedTexts } from "./opened-texts.ts";
import { sealKeyOf } from "./seal-key.ts";
import { ensureSecret, findSecret, type SealingSecret, type SecretStore, secretOf } from "./sealing-secret.ts";

interface CipherOptions {
  /** The key that seals, then those that only open. 32 bytes each. Empty: nothing can be sealed or opened. */
  readonly keys: readonly Uint8Array[];
  readonly records: SecretStore;
  /** How much opened text it keeps. */
  readonly keptCharacters?: number;
}

/** About 100,000 memories of the usual length. */
const KEPT_CHARACTERS = 32 * 1024 * 1024;
const SEED_PREFIX = "sealed:";

export async function memoryCipher(options: CipherOptions): Promise<MemoryCipher> {
  const { records, keptCharacters = KEPT_CHARACTERS } = options;
  const keys = options.keys.map(sealKeyOf);
  const [key] = keys;
  if (key === undefined) return noCipher;
  const byId = new Map(keys.map((key) => [key.keyId, key]));
  const opened = createOpenedTexts(keptCharacters);
  const { bytes, keyIds } = await findSecret(records, keys);
  let secret: SealingSecret | undefined = bytes && secretOf(bytes);
  let isOther = bytes === undefined && keyIds.length > 0;
  let isWrapped = keyIds.includes(key.keyId);

  /** The first memory that is sealed under a key has the secret wrapped by it. */
  const wrapSecret = coalesce(async () => {
    const made = await ensureSecret(records, keys);
    isOther = made === undefined;
    if (made === undefined) return;
    secret ??= secretOf(made);
    isWrapped = true;
  });

  async function requireSecret(): Promise<SealingSecret> {
    if (!isWrapped) await wrapSecret();
    if (secret === undefined) throw new PortcullisError("seal-key-missing", OTHER_KEY);
    return secret;
  }

  function keyOf(memoryId: string, { keyId, wrappedKey }: Seal) {
    return byId.get(keyId)?.unwrap(fromBase64(wrappedKey), boundTo.memoryKey(memoryId));
  }

  async function decryptFact({ memoryId, namespace, content, seal }: SealedMemory): Promise<Fact | undefined> {
    const blob = readSealedBlob(content);
    const memoryKey = blob && keyOf(memoryId, seal);
    if (blob === undefined || memoryKey === undefined) return undefined;
    const [iv, ciphertext] = [fromBase64(blob.iv), fromBase64(blob.ciphertext)];
    if (iv.length !== IV_BYTES) return undefined;
    const bytes = await decrypt(await importKey(memoryKey), iv, ciphertext, boundTo.memory(memoryId, namespace));
    return bytes && readPaddedFact(bytes);
  }

  return {
    status: () => (isOther ? "other-key" : "ready"),

    keyIds: () => keys.map(({ keyId }) => keyId),

    async takeOver() {
      await requireSecret();
      return key.keyId;
    },

    async seal(fact, { memoryId, key: factKey }) {
      const secret = await requireSecret();
      // One read of random bytes, which costs as much as three.
      const random = randomBytes(KEY_BYTES + 2 * IV_BYTES);
      const memoryKey = random.subarray(0, KEY_BYTES);
      const iv = random.subarray(KEY_BYTES, KEY_BYTES + IV_BYTES);
      const wrapped = key.wrap(memoryKey, boundTo.memoryKey(memoryId), random.subarray(KEY_BYTES + IV_BYTES));
      const { content, namespace, sourceAgent } = fact;
      const bound = boundTo.memory(memoryId, namespace);
      const ciphertext = await encrypt(await importKey(memoryKey), iv, paddedFact(fact), bound);
      opened.put(memoryId, { content, namespace, sourceAgent });
      const factHash = secret.hashOf(hashedFact(fact, factKey));
      return {
        text: sealedBlobText(base64(iv), base64(ciphertext)),
        seal: { keyId: key.keyId, wrappedKey: base64(wrapped), factHash },
      };
    },

    async open(memory) {
      const { memoryId, namespace } = memory;
      // What was opened before was opened with a key that is here. A memory is sealed once, so its text never changes.
      const kept = opened.get(memoryId);
      const fact = kept ?? (await decryptFact(memory));
      if (fact?.namespace !== namespace) return undefined;
      if (memory.sourceAgent !== undefined && memory.sourceAgent !== fact.sourceAgent) return undefined;
      if (kept === undefined) opened.put(memoryId, fact);
      return fact;
    },

    async rewrap(memoryId, seal) {
      await requireSecret();
      const memoryKey = keyOf(memoryId, seal);
      if (memoryKey === undefined) return undefined;
      const wrapped = key.wrap(memoryKey, boundTo.memoryKey(memoryId));
      return { ...seal, keyId: key.keyId, wrappedKey: base64(wrapped) };
    },

    async sealSeed(answerId, seed) {
      const secret = await requireSecret();
      return `${SEED_PREFIX}${base64(secret.sealSeed(Buffer.from(seed, "hex"), boundTo.seed(answerId)))}`;
    },

    async openSeed(answerId, seed) {
      if (!seed.startsWith(SEED_PREFIX)) return seed;
      const sealed = fromBase64(seed.slice(SEED_PREFIX.length));
      const bytes = secret?.openSeed(sealed, boundTo.seed(answerId));
      return bytes && Buffer.from(bytes).toString("hex");
    },

    async sealQuestion(answerId, question) {
      const secret = await requireSecret();
      return base64(secret.sealQuestion(paddedQuestion(question), boundTo.question(answerId)));
    },

    async openQuestion(answerId, sealed) {
      const bytes = secret?.openQuestion(fromBase64(sealed), boundTo.question(answerId));
      return bytes && readPaddedQuestion(bytes);
    },

    drop(memoryIds) {
      for (const memoryId of memoryIds) opened.delete(memoryId);
    },
  };
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "base64url"));

const OTHER_KEY =
  "SEAL_KEY is not the key that this database was sealed with. Set that key, or name it in SEAL_KEY_FORMER, and start the service again.";
