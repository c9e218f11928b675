// What the process has, from the configuration: the database, and what stands beside it. Made once; every tenant uses it.
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { aboutOf } from "#about.ts";
import { decryptedRecords } from "#adapters/encryption/decrypted-records.ts";
import { memoryCipher } from "#adapters/encryption/memory-cipher.ts";
import { snapshotFolder } from "#adapters/index-snapshots/snapshot-folder.ts";
import { loadWordVectors } from "#adapters/meaning/load-word-vectors.ts";
import * as ports from "#adapters/metrics/measured-ports.ts";
import { prometheusMetrics } from "#adapters/metrics/prometheus-metrics.ts";
import { publishedCheckpoint } from "#adapters/records/sqlite/published-checkpoint.ts";
import { spoolFolder } from "#adapters/spool/spool-folder.ts";
import { webhookSender } from "#adapters/webhooks/webhook-sender.ts";
import type { Config } from "#config.ts";
import { DEFAULT_TENANT, type TenantRef } from "#core/identity/tenant.ts";
import type { DeploymentRecords, LanguageModel, Metrics, RecordStore, SnapshotFiles } from "#ports.ts";
import { createVerifier, verifierPermits } from "#service/anchoring/verifier.ts";
import { boundedModel } from "#service/answers/bounded-model.ts";
import { createWebhookSecrets } from "#service/events/webhook-secrets.ts";
import { createSessionIds } from "#service/identity/authenticator.ts";
import { newId, newSeed } from "#service/ids.ts";
import { createTransparencyLog } from "#service/log/transparency-log.ts";
import { createImportSlots } from "#service/memories/capture.ts";
import { publicTombstone } from "#service/memories/forget.ts";
import type { SnapshotOptions } from "#service/recall/index-snapshots.ts";
import { createSentenceVectors, type SentenceVectors } from "#service/recall/sentence-vectors.ts";
import { createReceiptSigner } from "#service/receipts/receipt-signer.ts";
import type { Platform } from "#service/tenant.ts";
import { createTenantAdministration } from "#service/tenants/administration.ts";
import { installWasmDigest } from "#wasm-digest.ts";
import { type LedgerEvents, ledgersOf } from "./ledger.ts";
import { blobsOf, embedderOf, encryptionKeysOf, identitiesOf, modelOf } from "./peers.ts";
import { recordsOf } from "./records.ts";

/** Parts in place of those that the configuration names. */
export interface PlatformOverrides extends Partial<Omit<Platform, "model">>, LedgerEvents {
  readonly model?: LanguageModel;
  readonly records?: DeploymentRecords;
  readonly onSnapshotFailure?: (error: unknown) => void;
}

/** What the process has, for the making of tenants. */
export type OpenedPlatform = Awaited<ReturnType<typeof openPlatform>>;

/** The platform with the ports of one tenant: what they read and write belongs to it. */
interface TenantBase {
  readonly platform: Platform;
  /** As it is stored, and with encrypted memories decrypted. */
  readonly stored: RecordStore;
  readonly records: RecordStore;
  readonly sentences: SentenceVectors | undefined;
  readonly snapshots: SnapshotOptions | undefined;
}

export async function openPlatform(
  config: Config,
  { onDrift, onMove, onSnapshotFailure, records: given, model: givenModel, ...overrides }: PlatformOverrides,
) {
  await installWasmDigest();
  const { metrics = prometheusMetrics(), now = () => new Date() } = overrides;
  const database = given ?? (await recordsOf(config, { serves: false, metrics }));
  const model = boundedModel(ports.measuredModel(givenModel ?? (await modelOf(config.model)), metrics), {
    deadlineMs: config.model.kind === "openai-compatible" ? config.model.timeoutMs : undefined,
    metrics,
  });
  const { embed, checksum: table } = await loadWordVectors();
  const embedder = config.embedding === "minilm" ? await embedderOf() : undefined;
  const file = fileOf(config);
  const encryptionKeys = overrides.cipher === undefined ? await encryptionKeysOf(config.encryption) : [];
  const ledgers = await ledgersOf(config.ledger, database, { onDrift, onMove });
  const signer = createReceiptSigner(database, now);
  const shared = {
    settings: config.settings,
    model,
    ...(await identitiesOf(config.identity, database, metrics, overrides.now)),
    sessionIds: createSessionIds(database.writeOnce),
    tenantAdministration: createTenantAdministration({
      records: database,
      signer: overrides.signer ?? signer,
      defaults: { ...config.limits, ...config.settings.tenantRates },
      now,
    }),
    signer,
    log: createTransparencyLog(database, {
      ...config.transparencyLog,
      published: file ? publishedCheckpoint(file) : undefined,
    }),
    webhookSecrets: createWebhookSecrets(database.writeOnce),
    webhookSender: webhookSender({ targets: config.webhookTargets }),
    // Beside the database's file, or among temporary files.
    spool: spoolFolder({ folder: file ? dirname(file) : tmpdir(), reserveBytes: config.diskReserveBytes }),
    now,
    newId,
    newSeed,
    metrics,
  };
  const permits = verifierPermits(metrics);
  let first: TenantBase | undefined;

  /** Undefined when there are none. */
  function snapshotsOf({ number }: TenantRef): SnapshotFiles | undefined {
    const { indexFolder } = config;
    if (!indexFolder) return undefined;
    return snapshotFolder({ folder: number === DEFAULT_TENANT.number ? indexFolder : join(indexFolder, `${number}`) });
  }

  async function baseOf(tenant: TenantRef): Promise<TenantBase> {
    const isDefault = tenant.number === DEFAULT_TENANT.number;
    if (isDefault && first !== undefined) return first;
    const own = isDefault ? metrics : metricsOfOthers(metrics);
    const stored = isDefault ? database : database.recordsOf(tenant);
    const cipher = overrides.cipher ?? (await memoryCipher({ keys: encryptionKeys, records: stored }));
    const measured = {
      ...stored,
      policy: ports.measuredPolicy(stored.policy, own),
      receipts: ports.measuredReceipts(stored.receipts, own),
    };
    const records = decryptedRecords(measured, cipher);
    const sentences = embedder && createSentenceVectors({ embedder, memories: records.memories });
    const explorer = ledgers.explorerOf(tenant, records);
    const parts = {
      ...shared,
      ...(explorer && { explorer }),
      ...(sentences !== undefined && { sentences }),
      ...blobsOf(config.blobs, records),
      ledger: ledgers.of(tenant, records),
      // After the peers, which refuse a malformed address without quoting it: it may hold a password.
      about: aboutOf(config),
      ...overrides,
      cipher,
      metrics: own,
    };
    const outside = {
      blobs: ports.measuredBlobs(parts.blobs, metrics),
      ledger: ports.measuredLedger(parts.ledger, metrics),
    };
    // In mock mode we are the blob store, and a blob id confirms a guess. On Walrus all blobs are public.
    const isPublished = config.identity && config.blobs.kind === "memory" ? records.anchors.isPublished : undefined;
    const tombstoneOf = (memoryId: string) => publicTombstone({ records, signer: parts.signer }, memoryId);
    const verifier = overrides.verifier ?? createVerifier({ ...parts, ...outside, permits, isPublished, tombstoneOf });
    const files = snapshotsOf(tenant);
    const base = {
      platform: { ...parts, ...outside, verifier },
      stored,
      records,
      sentences,
      snapshots: files && { files, table, onFailure: onSnapshotFailure },
    };
    if (isDefault) first = base;
    return base;
  }

  const { platform, records } = await baseOf(DEFAULT_TENANT);
  const { about, ledger } = platform;
  const build = [about.version, process.version, about.records, about.blobs.kind, about.model, ledger.network] as const;
  metrics.gauge("buildInfo", () => 1, ...build);
  metrics.gauge("anchorsPending", () => records.chainAnchors.countPending(MOST_COUNTED));
  if (file !== undefined) metrics.gauge("diskFree", () => ports.freeSpaceOf(file));
  const { promptCharacters } = config;
  return { database, model, embed, importSlots: createImportSlots({ metrics }), promptCharacters, baseOf, snapshotsOf };
}

/** A scrape must not read a long table. */
const MOST_COUNTED = 1_000;

/** Gauges show the tenant `default`: those of many tenants would replace each other. */
const metricsOfOthers = (metrics: Metrics): Metrics => ({ ...metrics, gauge: () => undefined });

const fileOf = ({ records }: Config): string | undefined =>
  records.kind === "sqlite" && records.path !== ":memory:" ? records.path : undefined;
