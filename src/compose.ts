// Configuration to a working service. Only this file and compose/ import adapters; tests replace parts through `overrides`.
import { prometheusMetrics } from "./adapters/metrics/prometheus-metrics.ts";
import { refuseLedgerWithoutKey, refuseOtherLedgerNames } from "./compose/ledger.ts";
import { type OpenedPlatform, openPlatform, type PlatformOverrides } from "./compose/platform.ts";
import { type RecordEvents, recordsOf } from "./compose/records.ts";
import type { Config } from "./config.ts";
import { defined } from "./core/defined.ts";
import { DEFAULT_TENANT, type TenantRef } from "./core/identity/tenant.ts";
import type { DeploymentRecords } from "./ports.ts";
import { createAttempts } from "./service/answers/attempts/attempts.ts";
import { modelOfTenant } from "./service/answers/bounded-model.ts";
import { createEventHub } from "./service/events/event-hub.ts";
import { createIdempotency } from "./service/idempotency/idempotency.ts";
import { opaquePositions } from "./service/opaque-positions.ts";
import { seedWhenNew } from "./service/operations/reset.ts";
import { createPolicyMirror } from "./service/policy/policy-mirror.ts";
import type { OnProgress } from "./service/recall/index-follower.ts";
import { createMemoryIndex, type IndexGap, type LoadedSnapshots } from "./service/recall/memory-index.ts";
import { createSearch } from "./service/recall/search.ts";
import { createBrokenOffQueue } from "./service/receipts/issue-receipt.ts";
import type { Tenant } from "./service/tenant.ts";
import { createTenantDirectory, type TenantDirectory } from "./service/tenants/tenant-directory.ts";

export interface Overrides extends PlatformOverrides, TenantOverrides, RecordEvents {
  readonly onIndexing?: OnProgress;
  readonly onLoaded?: (loaded: LoadedSnapshots) => void;
}

/** The tenant `default`, and the way to all others. */
export interface Deployment extends Tenant, Pick<DeploymentRecords, "dueWork" | "tenantDeletions"> {
  readonly tenants: TenantDirectory;
}

/** Composes a service that is ready: records open, a new database seeded, the recall index built. */
export async function compose(
  config: Config,
  { onIndexing, onLoaded, onDatabaseWarning, onStorageLost, ...overrides }: Overrides = {},
): Promise<Deployment> {
  const metrics = overrides.metrics ?? prometheusMetrics();
  const records =
    overrides.records ?? (await recordsOf(config, { serves: true, metrics, onDatabaseWarning, onStorageLost }));
  const closeAndThrow = async (error: unknown) => {
    await records.close();
    throw error;
  };
  await refuseLedgerWithoutKey(config.ledger, records).catch(closeAndThrow);
  const tenant = await composeParts(config, { ...overrides, records, metrics });
  await refuseOtherLedgerNames(config.ledger, tenant).catch(closeAndThrow);
  await seedWhenNew(tenant);
  const loaded = await tenant.index.build(onIndexing);
  onLoaded?.(loaded);
  return tenant;
}

/** Composes the parts and starts nothing. Commands that work on the records use this. */
export async function composeParts(
  config: Config,
  { events, brokenOff, onIndexGap, ...overrides }: Overrides = {},
): Promise<Deployment> {
  const opened = await openPlatform(config, overrides);
  const first = await openTenant(opened, DEFAULT_TENANT, defined({ events, brokenOff, onIndexGap }));
  const tenants = createTenantDirectory(first, {
    records: opened.database.tenants,
    load: (ref) => openTenant(opened, ref, defined({ onIndexGap })),
    async unload(tenant) {
      tenant.events.close();
      await tenant.ledger.close();
      // Snapshots hold words of memories.
      const isDeleted = (await opened.database.tenants.find(tenant.id))?.deletion !== undefined;
      if (!isDeleted) await tenant.index.saveSnapshots({ isLast: true, signal: AbortSignal.timeout(UNLOAD_MS) });
      await tenant.records.close();
    },
    removeFiles: async (tenant) => opened.snapshotsOf(tenant)?.clear(),
    bytesOf: ({ index }) => TENANT_BYTES + index.bytes(),
    mostBytes: config.indexBytes,
  });
  const { dueWork, tenantDeletions } = opened.database;
  return { ...first, tenants, dueWork, tenantDeletions };
}

/** For the last snapshots of a tenant that is unloaded. */
const UNLOAD_MS = 5_000;
/** What a loaded tenant takes apart from its index. */
const TENANT_BYTES = 150_000;

interface TenantOverrides extends Partial<Pick<Tenant, "events" | "brokenOff">> {
  readonly onIndexGap?: (gap: IndexGap) => void;
}

async function openTenant(
  { model, embed, importSlots, promptCharacters, baseOf }: OpenedPlatform,
  { number, id }: TenantRef,
  { onIndexGap: onGap, ...overrides }: TenantOverrides = {},
): Promise<Tenant> {
  const { platform, stored, records, sentences, snapshots } = await baseOf({ number, id });
  const { metrics, settings, blobs, cipher, now } = platform;
  const policyMirror = createPolicyMirror(records.changeFeed, metrics);
  const onRemoved = () => blobs.dropCache?.();
  const index = createMemoryIndex(records, policyMirror, { embed, sentences, snapshots, metrics, onRemoved, onGap });
  const { recall, ...search } = createSearch(records, index, { limit: settings.recallLimit, embed, sentences });
  return {
    ...platform,
    number,
    id,
    records,
    stored,
    policyMirror,
    index,
    search,
    attempts: createAttempts({
      records,
      policy: policyMirror,
      gate: { recall },
      model: modelOfTenant(model, number),
      metrics,
      promptCharacters,
    }),
    events: createEventHub(records.events, { metrics, onChange: records.policy.onChange }),
    idempotency: createIdempotency({ records, cipher, now }),
    positions: opaquePositions(records.writeOnce),
    brokenOff: createBrokenOffQueue(records.receipts),
    importSlots: importSlots(number),
    ...overrides,
  };
}
