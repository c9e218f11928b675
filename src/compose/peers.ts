// The language model, the blob store and the identities that the configuration names.
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { blobIdDeriver } from "#adapters/blobs/walrus/blob-id.ts";
import { walrusBlobs } from "#adapters/blobs/walrus/walrus-blobs.ts";
import { readEncryptionKeys } from "#adapters/encryption/read-encryption-keys.ts";
import { builtInModel } from "#adapters/model/built-in/built-in-model.ts";
import type { Config } from "#config.ts";
import { contentAddress } from "#core/encoding/digest.ts";
import type { DeploymentRecords, DeriveBlobId, LanguageModel, Metrics, RecordStore } from "#ports.ts";
import { createAuthenticator, openAuthenticator } from "#service/identity/authenticator.ts";
import { watchOpenStreams } from "#service/identity/open-streams.ts";
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

/** Read at the start, so that a file or a command that does not give the key stops it. None when nothing is encrypted. */
export const encryptionKeysOf = async (config: Config["encryption"]): Promise<readonly Uint8Array[]> =>
  config === undefined ? [] : [...(await readEncryptionKeys(config.source)), ...config.former];

export async function embedderOf() {
  const { minilmEmbedder } = await import("#adapters/meaning/minilm/minilm-embedder.ts");
  return minilmEmbedder();
}

export async function identitiesOf(
  identity: Config["identity"],
  records: DeploymentRecords,
  metrics: Metrics,
  now: () => Date = () => new Date(),
): Promise<Pick<Tenant, "authenticator" | "identities" | "openStreams">> {
  const openStreams = watchOpenStreams({ keys: records.keys, tenants: records.tenants, now, metrics });
  if (identity === undefined) return { authenticator: openAuthenticator, openStreams };
  const { keys, tokens } = identity;
  const identities = tokens === undefined ? { keys } : { keys, tokens };
  const verifier = tokens && (await import("#adapters/identity/token-verifier.ts")).tokenVerifier(tokens);
  return { authenticator: createAuthenticator({ records, keys, tokens: verifier, now }), identities, openStreams };
}
