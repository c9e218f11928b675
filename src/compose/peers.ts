// The language model, the blob store and the identities that the configuration names.
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { blobIdDeriver } from "#adapters/blobs/walrus/blob-id.ts";
import { walrusBlobs } from "#adapters/blobs/walrus/walrus-blobs.ts";
import { memoryCipher, noCipher } from "#adapters/encryption/memory-cipher.ts";
import { readEncryptionKeys } from "#adapters/encryption/read-encryption-keys.ts";
import type { TokenOptions } from "#adapters/identity/token-verifier.ts";
import { builtInModel } from "#adapters/model/built-in/built-in-model.ts";
import type { Config } from "#config.ts";
import { contentAddress } from "#core/encoding/digest.ts";
import type { DeriveBlobId, LanguageModel, MemoryCipher, Metrics, RecordStore, TokenVerifier } from "#ports.ts";
import { createAuthenticator, openAuthenticator } from "#service/identity/authenticator.ts";
import { watchOpenStreams } from "#service/identity/open-streams.ts";
import { createSentenceVectors, type SentenceVectors } from "#service/recall/sentence-vectors.ts";
import type { Tenant } from "#service/tenant.ts";

export async function modelOf(config: Config["model"]): Promise<LanguageModel> {
  if (config.kind === "extractive") return builtInModel();
  const { openAiCompatibleModel } = await import("#adapters/model/openai-compatible/openai-model.ts");
  return openAiCompatibleModel(config);
}

export function blobsOf(
  config: Config["blobs"],
  { blobTexts }: Pick<RecordStore, "blobTexts">,
): Pick<Tenant, "blobs"> & Required<Pick<Tenant, "deriveBlobId">> {
  if (config.kind === "walrus") return { blobs: walrusBlobs(config), deriveBlobId: deriverOf("walrus") };
  const utf8 = new TextEncoder();
  const onRecord = async (blobId: string) => {
    const found = await blobTexts.find(blobId);
    return found && utf8.encode(found.text);
  };
  return { blobs: memoryBlobs(onRecord), deriveBlobId: deriverOf("memory") };
}

/** How ids of such a store follow from the bytes. */
export const deriverOf = (kind: Config["blobs"]["kind"]): DeriveBlobId =>
  kind === "walrus" ? blobIdDeriver() : async (bytes) => contentAddress(bytes);

/** Read at the start, so that a file or a command that does not give the key stops it. */
export async function cipherOf(config: Config["encryption"], records: RecordStore): Promise<MemoryCipher> {
  if (config === undefined) return noCipher;
  const keys = await readEncryptionKeys(config.source);
  return memoryCipher({ keys: [...keys, ...config.former], records });
}

export async function sentencesOf({ memories }: RecordStore): Promise<SentenceVectors> {
  const { minilmEmbedder } = await import("#adapters/meaning/minilm/minilm-embedder.ts");
  return createSentenceVectors({ embedder: await minilmEmbedder(), memories });
}

export async function identitiesOf(
  identity: Config["identity"],
  records: RecordStore,
  metrics: Metrics,
  now: () => Date = () => new Date(),
): Promise<Pick<Tenant, "authenticator" | "identities" | "openStreams">> {
  const openStreams = watchOpenStreams({ keys: records.keys, now, metrics });
  if (identity === undefined) return { authenticator: openAuthenticator, openStreams };
  const { keys, tokens } = identity;
  const identities = tokens === undefined ? { keys } : { keys, tokens };
  return {
    authenticator: createAuthenticator({ records, keys, tokens: tokens && (await verifierOf(tokens)), now }),
    identities,
    openStreams,
  };
}

async function verifierOf(tokens: TokenOptions): Promise<TokenVerifier> {
  const { tokenVerifier } = await import("#adapters/identity/token-verifier.ts");
  return tokenVerifier(tokens);
}
