// The service's own verification: it asks its ledger and its blob store, each call within a deadline. Core decides.
import { createSemaphore } from "#async/semaphore.ts";
import { orAfter } from "#async/with-deadline.ts";
import { fullAddress } from "#core/encoding/address.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Fetched, Observation } from "#core/verify/observation.ts";
import type { VerifiedReceipt } from "#core/verify/shell-commands.ts";
import { type VerificationResult, verifyReceipt } from "#core/verify/verify-receipt.ts";
import type { BlobStore, DeriveBlobId, Ledger, Metrics } from "#ports.ts";
import { type Fetchers, observeReceipt, withDerivedIds } from "#verification/observe.ts";

export interface VerifierParts {
  readonly ledger: Pick<Ledger, "find" | "packageId" | "policyHolder" | "network" | "explorerUrl">;
  readonly blobs: Pick<BlobStore, "get">;
  readonly deriveBlobId?: DeriveBlobId;
  /** Whether anyone may know about a memory's blob. Left out: all are public. */
  readonly isPublished?: ((blobId: string) => Promise<boolean>) | undefined;
  /** The signed tombstone of a memory that an anchored receipt names, if it was forgotten. */
  readonly tombstoneOf?: ((memoryId: string) => Promise<unknown>) | undefined;
  readonly metrics?: Pick<Metrics, "gauge"> | undefined;
  /** Those that all tenants share. Left out: its own. */
  readonly permits?: VerifierPermits | undefined;
  readonly now: () => Date;
}

export interface Verification
  extends VerifiedReceipt,
    Pick<VerificationResult, "verdict" | "checks" | "sealed" | "hasPseudonyms"> {
  readonly txDigest?: string;
  readonly explorerUrl?: string;
}

interface VerifyOptions {
  /** For each of up to four fetches in a row: object, gate and blob, memories, tombstones. */
  readonly deadlineMs?: number;
  /** Also derive every blob's id from its bytes, which takes seconds each. */
  readonly deep?: boolean;
  readonly opening?: string | undefined;
  /** Whose it is. Verifications that wait are let through by a fair share of each caller. */
  readonly caller?: string | undefined;
  readonly signal?: AbortSignal;
}

export type Verifier = ReturnType<typeof createVerifier>;

const FETCH_DEADLINE_MS = 5_000;
/** For all verifications together, so that most of the blob store's concurrency is left to answers. */
const BLOB_READS = 32;
const DEEP_VERIFICATIONS = 2;
const VERIFICATIONS = 16;
const WAITING_VERIFICATIONS = 64;
const LONGEST_WAIT_MS = 5_000;

type VerifierPermits = ReturnType<typeof verifierPermits>;

/** How many verifications the process makes at a time. */
export function verifierPermits(metrics?: Pick<Metrics, "gauge">) {
  const deepVerifications = createSemaphore(DEEP_VERIFICATIONS);
  const verifications = createSemaphore(VERIFICATIONS, { most: WAITING_VERIFICATIONS, onFull: tooMany });
  metrics?.gauge("verificationsRunning", verifications.running);
  metrics?.gauge("verificationsWaiting", verifications.waiting);
  metrics?.gauge("deepVerificationsRunning", deepVerifications.running);
  // One more deep one, for a tenant that has none.
  return { verifications, deepVerifications, spareDeep: createSemaphore(1), blobReads: createSemaphore(BLOB_READS) };
}

export function createVerifier(parts: VerifierParts) {
  const { ledger, blobs, deriveBlobId, isPublished, tombstoneOf, metrics, now } = parts;
  const { verifications, deepVerifications, spareDeep, blobReads } = parts.permits ?? verifierPermits(metrics);
  let ownDeep = 0;

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
  function fetchersWithin(deadlineMs: number): Fetchers {
    const fetch = <T>(get: () => Promise<T | undefined>) => fetchWithin(deadlineMs, get);
    return {
      async packageId() {
        const packageId = await fetch(() => ledger.packageId());
        return packageId === "unreachable" ? undefined : packageId;
      },
      object: (id) => fetch(() => ledger.find(id)),
      blob: (id) => fetch(() => readBlob(id)),
      memory: (id) => fetch(() => blobReads.run(() => memoryBlob(id))),
      async tombstone(id) {
        const tombstone = await fetch(async () => tombstoneOf?.(id));
        return tombstone === "missing" || tombstone === "unreachable" ? undefined : tombstone;
      },
      async policyHolder(anchor) {
        const holder = await fetch(() => ledger.policyHolder(anchor));
        return holder === "missing" ? undefined : holder;
      },
      now: () => now().getTime(),
    };
  }

  async function verify(receiptId: string, options: VerifyOptions): Promise<Verification> {
    const { deadlineMs = FETCH_DEADLINE_MS, deep = false, opening, signal } = options;
    const id = addressOf(receiptId);
    const observed = await observeReceipt(id, fetchersWithin(deadlineMs), { opening, concurrency: BLOB_READS });
    const observation = deep ? await withDerivedIds(observed, deriveBlobId, signal) : observed;

    const { verdict, checks, receipt = null, chain = null, ...gate } = verifyReceipt(observation);
    const transaction = chain === null ? {} : transactionOf(ledger, observation.object);
    return { receiptId: id, network: ledger.network, verdict, checks, receipt, chain, ...gate, ...transaction };
  }

  return {
    /** Rejects with `verifier-busy` when too many verifications run and wait, or too many deep ones run. */
    async verify(receiptId: string, options: VerifyOptions = {}): Promise<Verification> {
      if (options.deep !== true) {
        const job = () => verify(receiptId, options);
        const { caller } = options;
        return (
          verifications.tryRun(job, { caller }) ?? verifications.run(job, { caller, signal: patience(LONGEST_WAIT_MS) })
        );
      }
      // Try-acquire instead of a queue: a deep verification takes minutes, so a waiting caller would time out anyway.
      const deep = () => {
        ownDeep += 1;
        return verify(receiptId, options).finally(() => {
          ownDeep -= 1;
        });
      };
      const verification = deepVerifications.tryRun(deep) ?? (ownDeep === 0 ? spareDeep.tryRun(deep) : undefined);
      if (verification !== undefined) return verification;
      throw new PortcullisError(
        "verifier-busy",
        `The service makes ${DEEP_VERIFICATIONS} deep verifications at a time. Ask again in a minute.`,
      );
    },
  };
}

const tooMany = () =>
  new PortcullisError("verifier-busy", "Too many verifications are in progress. Ask again in a moment.");

/** Aborts the wait for a permit, but not the work that follows. */
function patience(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(tooMany()), ms).unref();
  return controller.signal;
}

function addressOf(receiptId: string): string {
  const address = fullAddress(receiptId);
  if (address !== undefined) return address;
  throw new PortcullisError("invalid-request", "A receipt id is 0x and up to 64 hexadecimal digits.", {
    fields: [{ parameter: "receiptId", detail: "must be 0x and 1 to 64 hexadecimal digits" }],
  });
}

/** A peer that fails or does not answer in time is unreachable. That is a result and not an error. */
async function fetchWithin<T>(ms: number, get: () => Promise<T | undefined>): Promise<Fetched<T>> {
  const fetched = async (): Promise<Fetched<T>> => (await get()) ?? "missing";
  return orAfter(ms, fetched(), "unreachable" as const).catch(() => "unreachable" as const);
}

/** A frozen object was last touched by the transaction that made it. */
function transactionOf(ledger: VerifierParts["ledger"], object: Observation["object"]) {
  if (typeof object === "string" || object.previousTransaction === null) return {};
  const txDigest = object.previousTransaction;
  return { txDigest, explorerUrl: ledger.explorerUrl(txDigest) };
}
