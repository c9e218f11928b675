// Configuration to a working service. The only file that imports adapters; tests replace parts through `overrides`.
import { memoryBlobs, mockBlobId } from "./adapters/blobs/memory.ts";
import { blobIdDeriver } from "./adapters/blobs/walrus/blob-id.ts";
import { walrusBlobs } from "./adapters/blobs/walrus/index.ts";
import { localLedger } from "./adapters/ledger/local/lazy.ts";
import { extractiveModel } from "./adapters/model/extractive.ts";
import { sqliteRecords } from "./adapters/records/sqlite/index.ts";
import type { Config } from "./config.ts";
import type { LanguageModel, RecordStore } from "./ports.ts";
import type { Deps } from "./service/deps.ts";
import { createGatekeeper } from "./service/gatekeeper.ts";
import { newId } from "./service/ids.ts";
import { refill } from "./service/refill.ts";
import { seedWhenNew } from "./service/reset.ts";

type Parts = Pick<Config, "records" | "blobs" | "model" | "ledger" | "recallLimit">;

export interface Overrides extends Partial<Deps> {
  /** Told when the policy on the chain is another's to change and differs from ours. */
  readonly onDrift?: (leaves: number) => void;
}

/** Ready to serve: records open, blobs there, seeded when new, the index built. */
export async function compose(config: Parts, overrides: Overrides = {}): Promise<Deps> {
  const deps = await composeParts(config, overrides);
  if (config.blobs.kind === "memory") await refill(deps);
  await seedWhenNew(deps);
  await deps.gatekeeper.catchUp();
  return deps;
}

/** The parts alone, with nothing done yet: for work on what is recorded. */
export async function composeParts(config: Parts, { onDrift, ...overrides }: Overrides = {}): Promise<Deps> {
  const records = overrides.records ?? sqliteRecords(config.records);
  return {
    records,
    ...blobsOf(config.blobs),
    model: overrides.model ?? (await modelOf(config.model)),
    gatekeeper: createGatekeeper({ records, limit: config.recallLimit }),
    now: () => new Date(),
    newId,
    ...(await ledgerOf(config.ledger, records, onDrift)),
    ...overrides,
  };
}

function blobsOf(config: Config["blobs"]): Pick<Deps, "blobs"> & Required<Pick<Deps, "deriveBlobId">> {
  if (config.kind === "memory") return { blobs: memoryBlobs(), deriveBlobId: async (bytes) => mockBlobId(bytes) };
  return { blobs: walrusBlobs(config), deriveBlobId: blobIdDeriver() };
}

async function modelOf(config: Config["model"]): Promise<LanguageModel> {
  if (config.kind === "extractive") return extractiveModel();
  const { openAiCompatibleModel } = await import("./adapters/model/openai-compatible/index.ts");
  return openAiCompatibleModel(config);
}

async function ledgerOf(
  config: Config["ledger"],
  records: RecordStore,
  onDrift: (leaves: number) => void = () => undefined,
): Promise<Pick<Deps, "ledger" | "book">> {
  if (config.kind === "local") return localLedger({ keyPath: config.keyPath, records });
  const { network, url, packageId, gateId } = config;
  // Only who anchors on Sui pays for loading its SDK.
  const [{ SuiGrpcClient }, { suiLedger }, { loadKeypair }] = await Promise.all([
    import("@mysten/sui/grpc"),
    import("./adapters/ledger/sui/index.ts"),
    import("./adapters/ledger/sui/keystore.ts"),
  ]);
  const signer = loadKeypair(config);
  const { core } = new SuiGrpcClient({ network, baseUrl: url });
  const explorerUrl = (digest: string) => `https://suiscan.xyz/${network}/tx/${digest}`;
  return { ledger: suiLedger({ network, client: core, signer, packageId, gateId, records, explorerUrl, onDrift }) };
}
