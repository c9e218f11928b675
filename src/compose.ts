// Configuration to a working service. The only file that imports adapters; tests replace parts through `overrides`.
import { aboutOf } from "./about.ts";
import { archiveFolder } from "./adapters/archive/archive-folder.ts";
import { memoryBlobs } from "./adapters/blobs/memory.ts";
import { blobIdDeriver } from "./adapters/blobs/walrus/blob-id.ts";
import { walrusBlobs } from "./adapters/blobs/walrus/walrus-blobs.ts";
import type { TokenOptions } from "./adapters/identity/token-verifier.ts";
import { snapshotFolder } from "./adapters/index-snapshots/snapshot-folder.ts";
import { findLedgerKey, requireLedgerKey } from "./adapters/ledger/local/key-owner.ts";
import { localLedger } from "./adapters/ledger/local/lazy-local-ledger.ts";
import { loadWordVectors } from "./adapters/meaning/load-word-vectors.ts";
import { measuredCommits } from "./adapters/metrics/commit-metrics.ts";
import { gaugeDeployment } from "./adapters/metrics/deployment-gauges.ts";
import { measuredPolicy } from "./adapters/metrics/measured-policy.ts";
import { measuredBlobs, measuredLedger, measuredModel } from "./adapters/metrics/measured-ports.ts";
import { measuredReceipts } from "./adapters/metrics/measured-receipts.ts";
import { prometheusMetrics } from "./adapters/metrics/prometheus-metrics.ts";
import { builtInModel } from "./adapters/model/built-in/built-in-model.ts";
import { sqliteRecords } from "./adapters/records/sqlite/sqlite-records.ts";
import type { Config } from "./config.ts";
import { contentAddress } from "./core/encoding/digest.ts";
import type { PortcullisError } from "./core/errors.ts";
import type { Archive, LanguageModel, Metrics, RecordStore, TokenVerifier } from "./ports.ts";
import { createAttempts } from "./service/answers/attempts.ts";
import { boundedModel } from "./service/answers/bounded-model.ts";
import type { Deps } from "./service/deps.ts";
import { createEventHub } from "./service/events/event-hub.ts";
import { openAuthenticator } from "./service/identity/authenticator.ts";
import { createAuthenticator } from "./service/identity/key-authenticator.ts";
import { watchOpenStreams } from "./service/identity/open-streams.ts";
import { newId } from "./service/ids.ts";
import { createImportSlots } from "./service/memories/import-slots.ts";
import { opaquePositions } from "./service/opaque-positions.ts";
import { seedWhenNew } from "./service/operations/reset.ts";
import type { LoadedSnapshots } from "./service/recall/build-index.ts";
import type { OnProgress } from "./service/recall/index-follower.ts";
import { createSentenceVectors, type SentenceVectors } from "./service/recall/sentence-vectors.ts";
import { createBrokenOffQueue } from "./service/receipts/broken-off-queue.ts";
import { createVerifier } from "./service/verification/verifier.ts";
import { installWasmDigest } from "./wasm-digest.ts";

type Parts = Pick<Config, "records" | "limits" | "blobs" | "model" | "ledger" | "recallLimit"> &
  Partial<
    Pick<
      Config,
      | "identity"
      | "requestsPerMinute"
      | "seed"
      | "allowReset"
      | "embedding"
      | "promptCharacters"
      | "indexFolder"
      | "diskReserveBytes"
    >
  >;

export interface Overrides extends Partial<Omit<Deps, "model">> {
  readonly model?: LanguageModel;
  /** Called when the policy on the ledger differs from ours, and somebody else holds the key to change it. */
  readonly onDrift?: (leaves: number) => void;
  /** Called while the recall index is built. */
  readonly onIndexing?: OnProgress;
  /** Called with what the database's settings leave to chance. */
  readonly onDatabaseWarning?: ((message: string) => void) | undefined;
  /** Called with what of the index came from snapshots. */
  readonly onLoaded?: (loaded: LoadedSnapshots) => void;
  /** Called once, when the files of the database were removed, replaced or overwritten. */
  readonly onStorageLost?: (error: PortcullisError) => void;
  /** Called when snapshots of the index cannot be read or written. */
  readonly onSnapshotFailure?: (error: unknown) => void;
}

/** Composes a service that is ready: records open, a new database seeded, the recall index built. */
export async function compose(
  config: Parts,
  { onIndexing, onLoaded, onDatabaseWarning, onStorageLost, ...overrides }: Overrides = {},
): Promise<Deps> {
  const metrics = overrides.metrics ?? prometheusMetrics();
  const records =
    overrides.records ?? (await recordsOf(config, { serves: true, metrics, onDatabaseWarning, onLost: onStorageLost }));
  await refuseLedgerWithoutKey(config.ledger, records).catch(async (error) => {
    await records.close();
    throw error;
  });
  const deps = await composeParts(config, { ...overrides, records, metrics });
  await seedWhenNew(deps);
  const loaded = await deps.gatekeeper.build(onIndexing);
  onLoaded?.(loaded);
  return deps;
}

/** Composes the parts and starts nothing. Commands that work on the records use this. */
export async function composeParts(
  config: Parts,
  { onDrift, onSnapshotFailure, ...overrides }: Overrides = {},
): Promise<Deps> {
  await installWasmDigest();
  const { metrics = prometheusMetrics() } = overrides;
  const opened = overrides.records ?? (await recordsOf(config, { serves: false, metrics }));
  const records = {
    ...opened,
    policy: measuredPolicy(opened.policy, metrics),
    receipts: measuredReceipts(opened.receipts, metrics),
  };
  const model = boundedModel(measuredModel(overrides.model ?? (await modelOf(config.model)), metrics), {
    deadlineMs: config.model.kind === "openai-compatible" ? config.model.timeoutMs : undefined,
    metrics,
  });
  const { embed, digest: table } = await loadWordVectors();
  const sentences = config.embedding === "minilm" ? await sentencesOf(records) : undefined;
  const snapshots = config.indexFolder && {
    files: snapshotFolder({ folder: config.indexFolder }),
    table,
    ...(onSnapshotFailure && { onFailure: onSnapshotFailure }),
  };
  const chosen = {
    ...blobsOf(config.blobs, records),
    model,
    ...(sentences !== undefined && { sentences }),
    ...createAttempts({
      records,
      model,
      recall: { limit: config.recallLimit, embed, sentences, snapshots: snapshots || undefined, metrics },
      promptCharacters: config.promptCharacters,
    }),
    recallLimit: config.recallLimit,
    ...(await identitiesOf(config.identity, records, metrics, overrides.now)),
    events: createEventHub(records.events, { metrics }),
    positions: opaquePositions(records.writeOnce),
    seed: config.seed ?? "demo",
    allowReset: config.allowReset ?? true,
    importSlots: createImportSlots({ metrics }),
    brokenOff: createBrokenOffQueue(records.receipts),
    about: aboutOf(config),
    ...(config.requestsPerMinute && { requestsPerMinute: config.requestsPerMinute }),
    now: () => new Date(),
    newId,
    ...(await ledgerOf(config.ledger, records, onDrift)),
    ...overrides,
  };
  const parts = {
    ...chosen,
    records,
    model,
    metrics,
    blobs: measuredBlobs(chosen.blobs, metrics),
    ledger: measuredLedger(chosen.ledger, metrics),
  };
  const { about, ledger } = parts;
  gaugeDeployment(metrics, {
    build: [about.version, process.version, about.records, about.blobs.kind, about.model, ledger.network],
    chainAnchors: records.chainAnchors,
    file: config.records.kind === "sqlite" && config.records.path !== ":memory:" ? config.records.path : undefined,
  });
  // In mock mode we are the blob store, and a blob id confirms a guess. On Walrus all blobs are public.
  const isPublished = config.identity && config.blobs.kind === "memory" ? records.anchors.isPublished : undefined;
  return { verifier: createVerifier({ ...parts, isPublished }), ...parts };
}

/** A database that was restored without the key of its ledger is refused now, and not at the first anchor. */
async function refuseLedgerWithoutKey(ledger: Config["ledger"], { ledgerLog }: RecordStore): Promise<void> {
  if (ledger.kind !== "local" || ledger.keyPath === undefined || ledger.isReadOnly) return;
  const { keyPath, formerKeyPath } = ledger;
  requireLedgerKey(await findLedgerKey({ keyPath, formerKeyPath }, ledgerLog));
}

export async function recordsOf(
  { records, limits, diskReserveBytes }: Pick<Config, "records" | "limits"> & Partial<Pick<Config, "diskReserveBytes">>,
  {
    serves,
    metrics,
    onLost,
    onDatabaseWarning,
  }: { serves: boolean; metrics?: Metrics; onLost?: Overrides["onStorageLost"] } & Pick<Overrides, "onDatabaseWarning">,
): Promise<RecordStore> {
  const onCommit = metrics && measuredCommits(metrics);
  if (records.kind === "sqlite")
    return sqliteRecords({
      path: records.path,
      ...(records.keepsCopy !== undefined && { keepsCopy: records.keepsCopy }),
      serves,
      limits,
      onCommit,
      ...(diskReserveBytes !== undefined && { reserveBytes: diskReserveBytes }),
      ...(onLost && { onLost }),
    });
  const { postgresRecords } = await import("./adapters/records/postgres/postgres-records.ts");
  return postgresRecords({
    url: records.url,
    limits,
    onCommit,
    ...(onDatabaseWarning && { onWarning: onDatabaseWarning }),
  });
}

/** The archive of one run of pruning. */
export const archiveIn = (folder: string, now: Date): Archive => archiveFolder({ folder, now });

/** Backups of SQLite files, loaded for the commands that need them. */
export async function backups() {
  const [{ takeBackup }, { restoreBackup }] = await Promise.all([
    import("./adapters/records/sqlite/backup/backup-folder.ts"),
    import("./adapters/records/sqlite/backup/restore-backup.ts"),
  ]);
  return { takeBackup, restoreBackup };
}

async function sentencesOf({ memories }: RecordStore): Promise<SentenceVectors> {
  const { minilmEmbedder } = await import("./adapters/meaning/minilm/minilm-embedder.ts");
  return createSentenceVectors({ embedder: await minilmEmbedder(), memories });
}

async function identitiesOf(
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
  const { tokenVerifier } = await import("./adapters/identity/token-verifier.ts");
  return tokenVerifier(tokens);
}

function blobsOf(
  config: Config["blobs"],
  { blobTexts }: Pick<RecordStore, "blobTexts">,
): Pick<Deps, "blobs"> & Required<Pick<Deps, "deriveBlobId">> {
  if (config.kind === "walrus") return { blobs: walrusBlobs(config), deriveBlobId: blobIdDeriver() };
  const utf8 = new TextEncoder();
  const onRecord = async (blobId: string) => {
    const text = await blobTexts.find(blobId);
    return text === undefined ? undefined : utf8.encode(text);
  };
  return { blobs: memoryBlobs(onRecord), deriveBlobId: async (bytes) => contentAddress(bytes) };
}

export async function modelOf(config: Config["model"]): Promise<LanguageModel> {
  if (config.kind === "extractive") return builtInModel();
  const { openAiCompatibleModel } = await import("./adapters/model/openai-compatible/openai-model.ts");
  return openAiCompatibleModel(config);
}

async function ledgerOf(
  config: Config["ledger"],
  records: RecordStore,
  onDrift: (leaves: number) => void = () => undefined,
): Promise<Pick<Deps, "ledger" | "explorer">> {
  if (config.kind === "local") return localLedger({ ...config, records });
  const { network, url, packageId, gateId } = config;
  // Loaded on demand: the SDK takes time and memory, and most services use the local ledger.
  const [{ SuiGrpcClient }, { suiLedger }, { loadKeypair }] = await Promise.all([
    import("@mysten/sui/grpc"),
    import("./adapters/ledger/sui/sui-ledger.ts"),
    import("./adapters/ledger/sui/keystore.ts"),
  ]);
  const signer = loadKeypair(config);
  const { core } = new SuiGrpcClient({ network, baseUrl: url });
  const explorerUrl = (digest: string) => `https://suiscan.xyz/${network}/tx/${digest}`;
  return { ledger: suiLedger({ network, client: core, signer, packageId, gateId, records, explorerUrl, onDrift }) };
}
