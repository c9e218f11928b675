// Consistency check of the records: derives again what can be derived, and reports where the records differ. Reads one
// snapshot, so it may run beside a service that writes.
import { isDerivedBlobId } from "#core/blob-id.ts";
import { DEFAULT_TENANT, type TenantRef } from "#core/identity/tenant.ts";
import type { Tenant } from "#service/tenant.ts";
import { checkAnchors, checkLedger, checkRequests } from "./check-ledger.ts";
import { checkTransparencyLog } from "./check-log.ts";
import { checkLogs, checkMemories } from "./check-memories.ts";
import { checkPolicy, checkPolicyChain } from "./check-policy.ts";
import { checkReceipts } from "./check-receipts.ts";
import type { Difference, FsckContext } from "./context.ts";

export interface FsckOptions {
  /** Also derives blob ids of Walrus, which takes seconds each, and asks Sui for every anchor. */
  readonly deep?: boolean;
  /** Whether the file with the local ledger's key exists; left out when the key is kept in the records. */
  readonly hasKeyFile?: boolean | undefined;
  readonly onDifference?: (difference: Difference) => void;
  readonly onProgress?: (done: number, total: number) => void;
}

export type SkippedCheck = "blob-ids" | "ledger";

export type FsckReport = Awaited<ReturnType<typeof fsck>>;

type Parts = Pick<Tenant, "records" | "about" | "deriveBlobId" | "ledger" | "explorer" | "cipher">;
export type Checked = Parts & TenantRef;

export function fsck(tenant: Parts & Partial<TenantRef>, options: FsckOptions = {}) {
  const { about, deriveBlobId, ledger, explorer } = tenant;
  const { deep: isDeep = false, hasKeyFile, onDifference, onProgress } = options;
  const derivesIds = isDeep || about.blobs.kind === "memory";
  const readsLedger = isDeep || explorer !== undefined;

  return tenant.records.audit(async ({ rows, complaints }) => {
    let differences = 0;
    const report: FsckContext["report"] = (about, id, detail) => {
      differences += 1;
      onDifference?.({ about, id, detail });
    };
    for (const complaint of await complaints()) report("database", "", complaint);

    const [counters] = await Array.fromAsync(rows("counters"));
    if (counters === undefined) throw new Error("A query that returns one row returned none.");
    const { memories, receipts, anchors, onLedger, policy: policyVersion } = counters;
    let done = 0;
    const step = () => onProgress?.(++done, memories + receipts + anchors + onLedger);
    // The store in memory gives no other ids. Another store may.
    const isDerived = (id: string) => about.blobs.kind === "memory" || isDerivedBlobId(id);
    const derive = derivesIds ? deriveBlobId : undefined;
    const blobIdOf: FsckContext["blobIdOf"] =
      derive && (async (bytes, onRecord) => (isDerived(onRecord) ? derive(bytes) : undefined));
    const { list, imported } = tenant.records.signingKeys;
    const signingKeys = async () => [...(await imported()), ...(await list())];
    const context: FsckContext = {
      isDefault: (tenant.number ?? DEFAULT_TENANT.number) === DEFAULT_TENANT.number,
      rows,
      signingKeys,
      decryptSeed: tenant.cipher.decryptSeed,
      counters,
      report,
      step,
      ledger,
      explorer,
      hasKeyFile,
      readsLedger,
      blobIdOf,
    };
    await checkPolicy(context);
    await checkPolicyChain(context);
    await checkMemories(context);
    await checkLogs(context);
    await checkReceipts(context);
    await checkTransparencyLog(context);
    await checkAnchors(context);
    await checkRequests(context);
    await checkLedger(context);
    const skipped = [...(derivesIds ? [] : ["blob-ids" as const]), ...(readsLedger ? [] : ["ledger" as const])];
    return { differences, memories, receipts, anchors, onLedger, policyVersion, skipped };
  });
}
