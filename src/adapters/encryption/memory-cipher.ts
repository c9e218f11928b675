// The cipher of encrypted memories: AES-256-GCM with a random key for each memory, which ENCRYPTION_KEY wraps.
import { coalesce } from "#async/coalesce.ts";
import { lruCache } from "#core/collections/lru-cache.ts";
import { LIMITS } from "#core/encoding/text-validation.ts";
import * as blobs from "#core/encrypted-blob.ts";
import { PortcullisError } from "#core/errors.ts";
import { detailsOf, type Encryption, type Fact } from "#core/memory.ts";
import type { EncryptedMemory, MemoryCipher } from "#ports.ts";
import { decrypt, encrypt, IV_BYTES, importKey, KEY_BYTES, randomBytes } from "./aes-gcm.ts";
import * as secrets from "./encryption-secret.ts";

interface CipherOptions {
  /** The key that encrypts, then those that only decrypt. 32 bytes each. Empty: nothing can be encrypted or decrypted. */
  readonly keys: readonly Uint8Array[];
  readonly records: secrets.SecretStore;
  readonly keptCharacters?: number;
}

/** About 100,000 memories of the usual length. */
const KEPT_CHARACTERS = 32 * 1024 * 1024;
/** What an entry takes beside its content, in characters. */
const ENTRY = 200;
const SEED_PREFIX = "encrypted:";

export async function memoryCipher(options: CipherOptions): Promise<MemoryCipher> {
  const { records, keptCharacters = KEPT_CHARACTERS } = options;
  const keys = options.keys.map(secrets.encryptionKeyOf);
  const [key] = keys;
  if (key === undefined) return noCipher;
  const byId = new Map(keys.map((key) => [key.keyId, key]));
  // So that a recall need not decrypt.
  const sizeOf = ({ content, metadata }: Fact) => content.length + ENTRY + (metadata ? LIMITS.metadataBytes : 0);
  const decrypted = lruCache<Fact>(keptCharacters, sizeOf);
  const keep = (memoryId: string, fact: Fact) => {
    if (sizeOf(fact) <= keptCharacters) decrypted.put(memoryId, fact);
  };
  const { bytes, keyIds } = await secrets.findSecret(records, keys);
  let secret: secrets.EncryptionSecret | undefined = bytes && secrets.secretOf(bytes);
  let isOther = bytes === undefined && keyIds.length > 0;
  let isWrapped = keyIds.includes(key.keyId);

  /** The first memory that is encrypted under a key has the secret wrapped by it. */
  const wrapSecret = coalesce(async () => {
    const made = await secrets.ensureSecret(records, keys);
    isOther = made === undefined;
    if (made === undefined) return;
    secret ??= secrets.secretOf(made);
    isWrapped = true;
  });

  async function requireSecret(): Promise<secrets.EncryptionSecret> {
    if (!isWrapped) await wrapSecret();
    if (secret === undefined) throw new PortcullisError("encryption-key-missing", OTHER_KEY);
    return secret;
  }

  const keyOf = (memoryId: string, { keyId, wrappedKey }: Encryption) =>
    byId.get(keyId)?.decrypt(fromBase64(wrappedKey), blobs.boundTo.memoryKey(memoryId));

  async function decryptFact({ memoryId, namespace, content, encryption }: EncryptedMemory): Promise<Fact | undefined> {
    const blob = blobs.readEncryptedBlob(content);
    const memoryKey = blob && keyOf(memoryId, encryption);
    if (blob === undefined || memoryKey === undefined) return undefined;
    const [iv, ciphertext] = [fromBase64(blob.iv), fromBase64(blob.ciphertext)];
    if (iv.length !== IV_BYTES) return undefined;
    const bytes = await decrypt(await importKey(memoryKey), iv, ciphertext, blobs.boundTo.memory(memoryId, namespace));
    return bytes && blobs.readPaddedFact(bytes);
  }

  return {
    status: () => (isOther ? "other-key" : "ready"),

    keyIds: () => keys.map(({ keyId }) => keyId),

    async takeOver() {
      await requireSecret();
      return key.keyId;
    },

    async encrypt(fact, { memoryId, key: factKey }) {
      const secret = await requireSecret();
      // One read of random bytes, which costs as much as three.
      const random = randomBytes(KEY_BYTES + 2 * IV_BYTES);
      const memoryKey = random.subarray(0, KEY_BYTES);
      const iv = random.subarray(KEY_BYTES, KEY_BYTES + IV_BYTES);
      const wrapped = key.encrypt(memoryKey, blobs.boundTo.memoryKey(memoryId), random.subarray(KEY_BYTES + IV_BYTES));
      const { content, namespace, sourceAgent } = fact;
      const details = detailsOf(fact);
      const bound = blobs.boundTo.memory(memoryId, namespace);
      const ciphertext = await encrypt(await importKey(memoryKey), iv, blobs.paddedFact(fact), bound);
      keep(memoryId, { content, namespace, sourceAgent, ...details });
      const factHash = secret.hashOf(blobs.hashedFact(fact, factKey));
      return {
        text: blobs.encryptedBlobText(base64(iv), base64(ciphertext)),
        encryption: { keyId: key.keyId, wrappedKey: base64(wrapped), factHash },
      };
    },

    async decrypt(memory) {
      const { memoryId, namespace } = memory;
      // What was decrypted before was decrypted with a key that is here. A memory is encrypted once, so its text never changes.
      const cached = decrypted.get(memoryId);
      const fact = cached ?? (await decryptFact(memory));
      if (fact?.namespace !== namespace) return undefined;
      if (memory.sourceAgent !== undefined && memory.sourceAgent !== fact.sourceAgent) return undefined;
      if (cached === undefined) keep(memoryId, fact);
      return fact;
    },

    async rewrap(memoryId, encryption) {
      await requireSecret();
      const memoryKey = keyOf(memoryId, encryption);
      if (memoryKey === undefined) return undefined;
      const wrapped = key.encrypt(memoryKey, blobs.boundTo.memoryKey(memoryId));
      return { ...encryption, keyId: key.keyId, wrappedKey: base64(wrapped) };
    },

    async encryptSeed(answerId, seed) {
      const secret = await requireSecret();
      return `${SEED_PREFIX}${base64(secret.seeds.encrypt(Buffer.from(seed, "hex"), blobs.boundTo.seed(answerId)))}`;
    },

    async decryptSeed(answerId, seed) {
      if (!seed.startsWith(SEED_PREFIX)) return seed;
      const encrypted = fromBase64(seed.slice(SEED_PREFIX.length));
      const bytes = secret?.seeds.decrypt(encrypted, blobs.boundTo.seed(answerId));
      return bytes && Buffer.from(bytes).toString("hex");
    },

    async encryptQuestion(answerId, question) {
      const secret = await requireSecret();
      return base64(secret.questions.encrypt(blobs.paddedQuestion(question), blobs.boundTo.question(answerId)));
    },

    async decryptQuestion(answerId, encrypted) {
      const bytes = secret?.questions.decrypt(fromBase64(encrypted), blobs.boundTo.question(answerId));
      return bytes && blobs.readPaddedQuestion(bytes);
    },

    digestKey: async () => (isOther ? undefined : (await requireSecret()).digestKey),

    drop(memoryIds) {
      for (const memoryId of memoryIds) decrypted.delete(memoryId);
    },
  };
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "base64url"));

const OTHER_KEY =
  "ENCRYPTION_KEY is not the key that this database was encrypted with. Set that key, or name it in ENCRYPTION_KEY_FORMER, and start the service again.";

/** The cipher of a service without a key: it opens nothing, and refuses to encrypt. */
export const noCipher: MemoryCipher = {
  status: () => "no-key",
  keyIds: () => [],
  takeOver: refuse,
  encrypt: refuse,
  decrypt: async () => undefined,
  rewrap: refuse,
  encryptSeed: refuse,
  decryptSeed: async (_, seed) => (/^[0-9a-f]*$/.test(seed) ? seed : undefined),
  encryptQuestion: refuse,
  decryptQuestion: async () => undefined,
  digestKey: async () => undefined,
  drop: () => undefined,
};

async function refuse(): Promise<never> {
  const sentence =
    "The key of encrypted namespaces is not set. Set ENCRYPTION_KEY, ENCRYPTION_KEY_FILE or ENCRYPTION_KEY_COMMAND, and start the service again.";
  throw new PortcullisError("encryption-key-missing", sentence);
}
