// Consistency check of the records: derives again what can be derived, and reports where the records differ. Reads one
// snapshot, so it may run beside a service that writes.
import type { Deps } from "#service/deps.ts";
import { checkAnchors } from "./check-anchors.ts";
import { checkLedger } from "./check-ledger.ts";
import { checkMemories } from "./check-memories.ts";
import { checkPolicy } from "./check-policy.ts";
import { checkReceipts } from "./check-receipts.ts";
import { checkRequests } from "./check-requests.ts";
import type { Difference, FsckContext } from "./context.ts";

export interface FsckOptions {
  /** Also derives blob ids of Walrus, which takes seconds each, and asks Sui for every anchor. */
  readonly deep?: boolean;
  /** Whether the file with the local ledger's key exists; left out when the key is kept in the records. */
  readonly hasKeyFile?: boolean | undefined;
  readonly onDifference?: (difference: Difference) => void;
  readonly onProgress?: (done: number, total: number) => void;
}

/** A check that only a deep run makes. */
export type SkippedCheck = "blob-ids" | "ledger";

export interface FsckReport {
  readonly differences: number;
  /** How many of each were checked. */
  readonly memories: number;
  readonly receipts: number;
  readonly anchors: number;
  readonly onLedger: number;
  readonly policyVersion: number;
  readonly skipped: readonly SkippedCheck[];
}

export function fsck(deps: Deps, options: FsckOptions = {}): Promise<FsckReport> {
  return deps.records.audit(async ({ rows, complaints }) => {
    let differences = 0;
    const report: FsckContext["report"] = (about, id, detail) => {
      differences += 1;
      options.onDifference?.({ about, id, detail });
    };
    for (const complaint of await complaints()) report("database", "", complaint);

    const counters = await only(rows("counters"));
    const { memories, receipts, anchors, onLedger, policy: policyVersion } = counters;
    let done = 0;
    const step = () => options.onProgress?.(++done, memories + receipts + anchors + onLedger);
    const skipped = skippedBy(deps, options);
    const context: FsckContext = { rows, counters, report, step, ...partsFor(deps, options, skipped) };
    await checkPolicy(context);
    await checkMemories(context);
    await checkReceipts(context);
    await checkAnchors(context);
    await checkRequests(context);
    await checkLedger(context);
    return { differences, memories, receipts, anchors, onLedger, policyVersion, skipped };
  });
}

function skippedBy({ about, explorer }: Deps, { deep = false }: FsckOptions): SkippedCheck[] {
  if (deep) return [];
  return [
    ...(about.blobs.kind === "memory" ? [] : ["blob-ids" as const]),
    ...(explorer !== undefined ? [] : ["ledger" as const]),
  ];
}

function partsFor(
  { deriveBlobId, ledger, explorer }: Deps,
  { deep = false, hasKeyFile }: FsckOptions,
  skipped: readonly SkippedCheck[],
): Pick<FsckContext, "ledger" | "explorer" | "hasKeyFile" | "isDeep" | "blobIdOf"> {
  const derives = deriveBlobId !== undefined && !skipped.includes("blob-ids");
  return {
    ledger,
    ...(explorer !== undefined && { explorer }),
    hasKeyFile,
    isDeep: deep,
    ...(derives && { blobIdOf: (bytes: Uint8Array) => deriveBlobId(bytes) }),
  };
}

async function only<T>(rows: AsyncIterable<T>): Promise<T> {
  for await (const row of rows) return row;
  throw new Error("A query that returns one row returned none.");
}
