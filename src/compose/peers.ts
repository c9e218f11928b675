// The language model, the blob store and the identities that the configuration names.
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { blobIdDeriver } from "#adapters/blobs/walrus/blob-id.ts";
import { walrusBlobs } from "#adapters/blobs/walrus/walrus-blobs.ts";
import type { TokenOptions } from "#adapters/identity/token-verifier.ts";
import { builtInModel } from "#adapters/model/built-in/built-in-model.ts";
import { memoryCipher } from "#adapters/sealing/memory-cipher.ts";
import { noCipher } from "#adapters/sealing/no-cipher.ts";
import { readSealKeys } from "#adapters/sealing/read-seal-keys.ts";
import type { Config } from "#config.ts";
import { contentAddress } from "#core/encoding/digest.ts";
import type { LanguageModel, MemoryCipher, Metrics, RecordStore, TokenVerifier } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { openAuthenticator } from "#service/identity/authenticator.ts";
import { createAuthenticator } from "#service/identity/key-authenticator.ts";
import { watchOpenStreams } from "#service/identity/open-streams.ts";
import { createSentenceVectors, type SentenceVectors } from "#service/recall/sentence-vectors.ts";

export async function modelOf(config: Config["model"]): Promise<LanguageModel> {
  if (config.kind === "extractive") return builtInModel();
  const { openAiCompatibleModel } = await import("#adapters/model/openai-compatible/openai-model.ts");
  return openAiCompatibleModel(config);
}

export function blobsOf(
  config: Config["blobs"],
  { blobTexts }: Pick<RecordStore, "blobTexts">,
): Pick<Deps, "blobs"> & Required<Pick<Deps, "deriveBlobId">> {
  if (config.kind === "walrus") return { blobs: walrusBlobs(config), deriveBlobId: blobIdDeriver() };
  const utf8 = new TextEncoder();
  const onRecord = async (blobId: string) => {
    const found = await blobTexts.find(blobId);
    return found && utf8.encode(found.text);
  };
  return { blobs: memoryBlobs(onRecord), deriveBlobId: async (bytes) => contentAddress(bytes) };
}

/** Read at the start, so that a file or a command that does not give the key stops it. */
export async function cipherOf(config: Config["seal"], records: RecordStore): Promise<MemoryCipher> {
  if (config === undefined) return noCipher;
  const keys = await readSealKeys(config.source);
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
): Promise<Pick<Deps, "authenticator" | "identities" | "openStreams">> {
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
