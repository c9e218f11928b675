// Fetches what a verification needs: the object on the ledger, the gate and the blob that it names, and the blobs that the
// receipt names. Core decides the verdict, from nothing but what was fetched here.
import { createSemaphore } from "#async/semaphore.ts";
import { orAfter } from "#async/with-deadline.ts";
import { isDerivedBlobId } from "#core/blob-id.ts";
import { fullAddress } from "#core/encoding/address.ts";
import { PortcullisError } from "#core/errors.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { memoryBlobsToFetch, namedByObject, tombstonesToFetch } from "#core/verify/blobs-to-fetch.ts";
import type { FetchedBlob, Observation } from "#core/verify/observation.ts";
import { type VerificationResult, verifyReceipt } from "#core/verify/verify-receipt.ts";
import type { BlobStore, DeriveBlobId, Ledger, LedgerObject, Metrics } from "#ports.ts";

export interface VerifierDeps {
  readonly ledger: Pick<Ledger, "find" | "packageId" | "formerPackageId" | "network" | "explorerUrl">;
  readonly blobs: Pick<BlobStore, "get">;
  readonly deriveBlobId?: DeriveBlobId;
  /** Whether anyone may know about a memory's blob. Left out: all are public. */
  readonly isPublished?: ((blobId: string) => Promise<boolean>) | undefined;
  /** The signed tombstone of a memory that an anchored receipt names, if it was forgotten. */
  readonly tombstoneOf?: ((memoryId: string) => Promise<unknown>) | undefined;
  readonly metrics?: Pick<Metrics, "gauge"> | undefined;
}

export interface Verification extends Pick<VerificationResult, "verdict" | "checks"> {
  /** In full length. */
  readonly receiptId: string;
  readonly network: string;
  /** The receipt in the blob, if its bytes are the ones that were anchored. */
  readonly receipt: ForeignReceipt | null;
  /** The receipt on the ledger, if the object is one of ours. */
  readonly chain: ChainReceipt | null;
  /** The transaction that anchored the receipt, and a page that shows it. */
  readonly txDigest?: string;
  readonly explorerUrl?: string;
}

interface VerifyOptions {
  /** For each of up to three fetches in a row: object, gate and blob, memories. */
  readonly deadlineMs?: number;
  /** Also derive every blob's id from its bytes, which takes seconds each. */
  readonly deep?: boolean;
  /** Ends the derivation when the caller goes away. */
  readonly signal?: AbortSignal;
}

export interface Verifier {
  /** Rejects with `verifier-busy` when too many verifications run and wait, or too many deep ones run. */
  verify(receiptId: string, options?: VerifyOptions): Promise<Verification>;
}

const FETCH_DEADLINE_MS = 5_000;
const DERIVE_DEADLINE_MS = 120_000;
/** For all verifications together, so that most of the blob store's concurrency is left to answers. */
const BLOB_READS = 32;
const DEEP_VERIFICATIONS = 2;
const VERIFICATIONS = 16;
const WAITING_VERIFICATIONS = 64;
const LONGEST_WAIT_MS = 5_000;

export function createVerifier(parts: VerifierDeps): Verifier {
  const { ledger, blobs, deriveBlobId, isPublished, tombstoneOf, metrics } = parts;
  const blobReads = createSemaphore(BLOB_READS);
  const deepVerifications = createSemaphore(DEEP_VERIFICATIONS);
  const verifications = createSemaphore(VERIFICATIONS, { most: WAITING_VERIFICATIONS, onFull: tooMany });
  metrics?.gauge("verificationsRunning", verifications.running);
  metrics?.gauge("verificationsWaiting", verifications.waiting);
  metrics?.gauge("deepVerificationsRunning", deepVerifications.running);

  /** A verifier, this one or that in the browser, reads no more than a limit. What it has not read shows nothing. */
  async function readBlob(blobId: string): Promise<Uint8Array | undefined> {
    const bytes = await blobs.get(blobId);
    if (bytes === "too-large") throw new Error("This blob is larger than any of ours.");
    return bytes;
  }

  /** A receipt that names a blob must not tell whether that blob exists, unless it is public anyway. */
  async function memoryBlob(blobId: string): Promise<Uint8Array | undefined> {
    if (isPublished !== undefined && !(await isPublished(blobId))) throw new Error("This blob is not public.");
    return readBlob(blobId);
  }

  async function verify(receiptId: string, options: VerifyOptions): Promise<Verification> {
    const { deadlineMs = FETCH_DEADLINE_MS, deep = false, signal } = options;
    const id = addressOf(receiptId);
    const fetch = <T>(get: () => Promise<T | undefined>) => fetchWithin(deadlineMs, get);

    const object = await fetch(() => ledger.find(id));
    const packageId = await fetch(() => ledger.packageId());
    const formerPackageId = await fetch(() => ledger.formerPackageId());
    let observation: Observation = {
      receiptId: id,
      packageId,
      formerPackageId,
      object: packageId === "unreachable" ? packageId : object,
      gate: "unreachable",
      blob: "unreachable",
      memories: new Map(),
    };
    const named = namedByObject(observation);
    const blobId = named?.blobId;
    if (named !== undefined) {
      const [gate, blob] = await Promise.all([
        fetch(() => ledger.find(named.gate)),
        fetch(() => readBlob(named.blobId)),
      ]);
      observation = { ...observation, gate, blob };
    }
    const memories = await Promise.all(
      memoryBlobsToFetch(observation).map(
        async (ref) => [ref, await fetch(() => blobReads.run(() => memoryBlob(ref)))] as const,
      ),
    );
    observation = { ...observation, memories: new Map(memories) };
    const tombstones = await Promise.all(
      tombstonesToFetch(observation).map(async (id) => [id, await tombstoneOf?.(id).catch(() => undefined)] as const),
    );
    observation = { ...observation, tombstones: new Map(tombstones) };
    if (deep) {
      const fetched = [[blobId, observation.blob], ...memories] as const;
      observation = { ...observation, derivedIds: await deriveIds(deriveBlobId, fetched, signal) };
    }

    const { verdict, checks, receipt = null, chain = null, ...gate } = verifyReceipt(observation);
    const transaction = chain === null ? {} : transactionOf(ledger, object);
    return { receiptId: id, network: ledger.network, verdict, checks, receipt, chain, ...gate, ...transaction };
  }

  return {
    async verify(receiptId, options = {}) {
      if (options.deep !== true) {
        const job = () => verify(receiptId, options);
        return verifications.tryRun(job) ?? verifications.run(job, patience(LONGEST_WAIT_MS));
      }
      // Try-acquire instead of a queue: a deep verification takes minutes, so a waiting caller would time out anyway.
      const verification = deepVerifications.tryRun(() => verify(receiptId, options));
      if (verification !== undefined) return verification;
      throw new PortcullisError(
        "verifier-busy",
        `The service makes ${DEEP_VERIFICATIONS} deep verifications at a time. Ask again in a minute.`,
      );
    },
  };
}

const tooMany = () =>
  new PortcullisError("verifier-busy", "The service makes as many verifications as it can. Ask again in a moment.");

/** Aborts the wait for a permit, but not the work that follows. */
function patience(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(tooMany()), ms).unref();
  return controller.signal;
}

/** Derives ids one after another. An id that fails or is not derived in time is left out, so its check is unknown. */
async function deriveIds(
  derive: DeriveBlobId | undefined,
  fetched: readonly (readonly [blobId: string | undefined, bytes: FetchedBlob])[],
  departure: AbortSignal | undefined,
): Promise<Map<string, string>> {
  const timeout = AbortSignal.timeout(DERIVE_DEADLINE_MS);
  const signal = departure === undefined ? timeout : AbortSignal.any([timeout, departure]);
  const derived = new Map<string, string>();
  for (const [blobId, bytes] of fetched) {
    if (derive === undefined || blobId === undefined || typeof bytes === "string" || derived.has(blobId)) continue;
    if (!isDerivedBlobId(blobId)) continue;
    const id = await derive(bytes, signal).catch(() => undefined);
    if (id !== undefined) derived.set(blobId, id);
  }
  return derived;
}

function addressOf(receiptId: string): string {
  const address = fullAddress(receiptId);
  if (address !== undefined) return address;
  throw new PortcullisError("invalid-request", "A receipt id is 0x and up to 64 hexadecimal digits.", {
    fields: [{ parameter: "receiptId", detail: "must be 0x and 1 to 64 hexadecimal digits" }],
  });
}

type Fetched<T> = T | "missing" | "unreachable";

/** A peer that fails or does not answer in time is unreachable. That is a result and not an error. */
async function fetchWithin<T>(ms: number, get: () => Promise<T | undefined>): Promise<Fetched<T>> {
  const fetched = async (): Promise<Fetched<T>> => (await get()) ?? "missing";
  return orAfter(ms, fetched(), "unreachable" as const).catch(() => "unreachable" as const);
}

/** A frozen object was last touched by the transaction that made it. */
function transactionOf(ledger: VerifierDeps["ledger"], object: Fetched<LedgerObject>) {
  if (typeof object === "string" || object.previousTransaction === null) return {};
  const txDigest = object.previousTransaction;
  return { txDigest, explorerUrl: ledger.explorerUrl(txDigest) };
}
