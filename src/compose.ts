// Configuration to a working service. Only this file and compose/ import adapters; tests replace parts through `overrides`.
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { publicTombstone } from "#service/memories/removal/traces.ts";
import { aboutOf } from "./about.ts";
import { snapshotFolder } from "./adapters/index-snapshots/snapshot-folder.ts";
import { loadWordVectors } from "./adapters/meaning/load-word-vectors.ts";
import { gaugeDeployment } from "./adapters/metrics/deployment-gauges.ts";
import { measuredPolicy } from "./adapters/metrics/measured-policy.ts";
import { measuredBlobs, measuredLedger, measuredModel } from "./adapters/metrics/measured-ports.ts";
import { measuredReceipts } from "./adapters/metrics/measured-receipts.ts";
import { prometheusMetrics } from "./adapters/metrics/prometheus-metrics.ts";
import { openedRecords } from "./adapters/sealing/opened-records.ts";
import { spoolFolder } from "./adapters/spool/spool-folder.ts";
import { ledgerOf, refuseLedgerWithoutKey, refuseOtherLedgerNames } from "./compose/ledger.ts";
import { blobsOf, cipherOf, identitiesOf, modelOf, sentencesOf } from "./compose/peers.ts";
import { type RecordEvents, recordsOf } from "./compose/records.ts";
import type { Config } from "./config.ts";
import type { LanguageModel } from "./ports.ts";
import { createAttempts } from "./service/answers/attempts/attempts.ts";
import { boundedModel } from "./service/answers/bounded-model.ts";
import type { Deps } from "./service/deps.ts";
import { createEventHub } from "./service/events/event-hub.ts";
import { newId, newSeed } from "./service/ids.ts";
import { createImportSlots } from "./service/memories/import-slots.ts";
import { opaquePositions } from "./service/opaque-positions.ts";
import { seedWhenNew } from "./service/operations/reset.ts";
import type { LoadedSnapshots } from "./service/recall/build-index.ts";
import type { OnProgress } from "./service/recall/index-follower.ts";
import { createBrokenOffQueue } from "./service/receipts/broken-off-queue.ts";
import { createReceiptSigner } from "./service/receipts/receipt-signer.ts";
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
      | "anchorSealed"
      | "keepQuestions"
      | "embedding"
      | "promptCharacters"
      | "indexFolder"
      | "diskReserveBytes"
      | "seal"
    >
  >;

export interface Overrides extends Partial<Omit<Deps, "model">>, RecordEvents {
  readonly model?: LanguageModel;
  /** Called when the policy on the ledger differs from ours, and somebody else holds the key to change it. */
  readonly onDrift?: (leaves: number) => void;
  /** Called when the database was behind its gate on the ledger, and the policy has moved past the gate's version. */
  readonly onMove?: (past: number) => void;
  /** Called while the recall index is built. */
  readonly onIndexing?: OnProgress;
  /** Called with what of the index came from snapshots. */
  readonly onLoaded?: (loaded: LoadedSnapshots) => void;
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
    overrides.records ?? (await recordsOf(config, { serves: true, metrics, onDatabaseWarning, onStorageLost }));
  const closeAndThrow = async (error: unknown) => {
    await records.close();
    throw error;
  };
  await refuseLedgerWithoutKey(config.ledger, records).catch(closeAndThrow);
  const deps = await composeParts(config, { ...overrides, records, metrics });
  await refuseOtherLedgerNames(config.ledger, deps).catch(closeAndThrow);
  await seedWhenNew(deps);
  const loaded = await deps.gatekeeper.build(onIndexing);
  onLoaded?.(loaded);
  return deps;
}

/** Beside the database's file, or among temporary files. */
function spoolOf({ records, diskReserveBytes }: Parts) {
  const isFile = records.kind === "sqlite" && records.path !== ":memory:";
  const folder = isFile ? dirname(records.path) : tmpdir();
  return spoolFolder({ folder, ...(isFile && diskReserveBytes !== undefined && { reserveBytes: diskReserveBytes }) });
}

/** Composes the parts and starts nothing. Commands that work on the records use this. */
export async function composeParts(
  config: Parts,
  { onDrift, onMove, onSnapshotFailure, ...overrides }: Overrides = {},
): Promise<Deps> {
  await installWasmDigest();
  const { metrics = prometheusMetrics() } = overrides;
  const opened = overrides.records ?? (await recordsOf(config, { serves: false, metrics }));
  const cipher = overrides.cipher ?? (await cipherOf(config.seal, opened));
  const records = openedRecords(
    {
      ...opened,
      policy: measuredPolicy(opened.policy, metrics),
      receipts: measuredReceipts(opened.receipts, metrics),
    },
    cipher,
  );
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
  const stores = blobsOf(config.blobs, records);
  const onRemoved = () => stores.blobs.dropCache?.();
  const chosen = {
    ...stores,
    model,
    ...(sentences !== undefined && { sentences }),
    ...createAttempts({
      records,
      model,
      recall: { limit: config.recallLimit, embed, sentences, snapshots: snapshots || undefined, metrics, onRemoved },
      promptCharacters: config.promptCharacters,
    }),
    recallLimit: config.recallLimit,
    ...(await identitiesOf(config.identity, records, metrics, overrides.now)),
    events: createEventHub(records.events, { metrics, onChange: records.policy.onChange }),
    positions: opaquePositions(records.writeOnce),
    seed: config.seed ?? "demo",
    allowReset: config.allowReset ?? true,
    anchorSealed: config.anchorSealed ?? false,
    keepQuestions: config.keepQuestions ?? false,
    importSlots: createImportSlots({ metrics }),
    cipher,
    stored: opened,
    spool: spoolOf(config),
    brokenOff: createBrokenOffQueue(records.receipts),
    signer: createReceiptSigner(records, overrides.now ?? (() => new Date())),
    about: aboutOf(config),
    ...(config.requestsPerMinute && { requestsPerMinute: config.requestsPerMinute }),
    now: () => new Date(),
    newId,
    newSeed,
    ...(await ledgerOf(config.ledger, records, { onDrift, onMove })),
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
  const tombstoneOf = (memoryId: string) => publicTombstone(parts, memoryId);
  return { verifier: createVerifier({ ...parts, isPublished, tombstoneOf }), ...parts };
}
