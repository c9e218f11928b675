// Decorators: the ports of what is outside the process, with their calls measured. They change nothing else.
import type { BlobStore, LanguageModel, Ledger } from "#ports.ts";
import { measured, type Observer } from "./call-outcome.ts";

export function measuredBlobs(blobs: BlobStore, metrics: Observer): BlobStore {
  const observePut = (seconds: number, outcome: string) => metrics.observe("blobCallDuration", seconds, "put", outcome);
  const observeGet = (seconds: number, outcome: string) => metrics.observe("blobCallDuration", seconds, "get", outcome);
  return {
    putConcurrency: blobs.putConcurrency,
    ...(blobs.leaseMs !== undefined && { leaseMs: blobs.leaseMs }),
    ...(blobs.dropCache && { dropCache: blobs.dropCache }),
    put: (bytes, options) => measured(() => blobs.put(bytes, options), observePut),
    get: (blobId, options) =>
      measured(
        () => blobs.get(blobId, options),
        observeGet,
        (bytes) => (bytes === undefined ? "missing" : "ok"),
      ),
  };
}

/** Without the wait for a permit: that is the bound around this. */
export function measuredModel(model: LanguageModel, metrics: Observer): LanguageModel {
  const observe = (seconds: number, outcome: string) => metrics.observe("modelCallDuration", seconds, outcome);
  return {
    name: model.name,
    complete: (prompt, options) => measured(() => model.complete(prompt, options), observe),
  };
}

export function measuredLedger(ledger: Ledger, metrics: Observer): Ledger {
  const call = <T>(operation: string, job: () => Promise<T>) =>
    measured(job, (seconds, outcome) => metrics.observe("ledgerCallDuration", seconds, operation, outcome));
  return {
    network: ledger.network,
    packageId: () => call("package-id", () => ledger.packageId()),
    gate: () => call("gate", () => ledger.gate()),
    formerPackageId: () => call("package-id", () => ledger.formerPackageId()),
    anchor: (request) => call("anchor", () => ledger.anchor(request)),
    recover: () => call("recover", () => ledger.recover()),
    sync: () => call("sync", () => ledger.sync()),
    policyVersion: () => ledger.policyVersion(),
    naming: () => call("gate", () => ledger.naming()),
    keys: () => call("keys", () => ledger.keys()),
    find: (objectId) => call("find", () => ledger.find(objectId)),
    explorerUrl: (txDigest) => ledger.explorerUrl(txDigest),
    drift: () => call("drift", () => ledger.drift()),
    balance: () => call("balance", () => ledger.balance()),
    close: () => ledger.close(),
  };
}
