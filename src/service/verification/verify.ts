// Goes and looks: at the object on the ledger, at the blob that it names, at the blobs that this one names.
// What comes of it is decided in core, from nothing but what was seen here.

import { createSemaphore } from "#async/semaphore.ts";
import { fullAddress } from "#core/encoding/address.ts";
import { PortcullisError } from "#core/errors.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { blobToSee, memoriesToSee } from "#core/verify/blobs-to-fetch.ts";
import type { Check, Verdict } from "#core/verify/check.ts";
import { type Seen, verifyReceipt } from "#core/verify/verify-receipt.ts";
import type { BlobStore, DeriveBlobId, Ledger, LedgerObject } from "#ports.ts";

export interface VerifyDeps {
  readonly ledger: Pick<Ledger, "find" | "packageId" | "network" | "explorerUrl">;
  readonly blobs: Pick<BlobStore, "get">;
  readonly deriveBlobId?: DeriveBlobId;
}

export interface Verification {
  /** In full length. */
  readonly receiptId: string;
  readonly network: string;
  readonly verdict: Verdict;
  readonly checks: readonly Check[];
  /** What the blob says, when its bytes are the ones that were anchored. */
  readonly receipt: ForeignReceipt | null;
  /** What the ledger says, when the object is a receipt of ours. */
  readonly chain: ChainReceipt | null;
  /** The transaction that anchored it, and where a person can look at it. */
  readonly txDigest?: string;
  readonly explorerUrl?: string;
}

/** All verifications together, so that they leave most of the store's lanes to answers. */
const reads = createSemaphore(32);

/** For each look, of which there are up to three one after another. */
const DEADLINE_MS = 5_000;

interface VerifyOptions {
  readonly deadlineMs?: number;
  /** Derive every blob's id from its bytes too. Takes seconds for each, and is done for few at a time. */
  readonly deep?: boolean;
  /** Ends a deep look that nobody waits for any more. */
  readonly signal?: AbortSignal;
}

export async function verify(
  { ledger, blobs, deriveBlobId }: VerifyDeps,
  receiptId: string,
  { deadlineMs = DEADLINE_MS, deep = false, signal }: VerifyOptions = {},
): Promise<Verification> {
  if (deep) refuseWhenBusy();
  const id = addressOf(receiptId);
  const look = <T>(ask: () => Promise<T | undefined>) => within(deadlineMs, ask);

  const object = await look(() => ledger.find(id));
  const packageId = await within(deadlineMs, () => ledger.packageId());
  let seen: Seen = {
    receiptId: id,
    packageId,
    object: packageId === "unreachable" ? packageId : object,
    blob: "unreachable",
    memories: new Map(),
  };
  const blobId = blobToSee(seen);
  if (blobId !== undefined) seen = { ...seen, blob: await look(() => blobs.get(blobId)) };
  const memories = await Promise.all(
    memoriesToSee(seen).map(async (ref) => [ref, await look(() => reads.run(() => blobs.get(ref)))] as const),
  );

  seen = { ...seen, memories: new Map(memories) };
  if (deep) seen = { ...seen, derivedIds: await derivedIds(deriveBlobId, [[blobId, seen.blob], ...memories], signal) };
  const { verdict, checks, receipt = null, chain = null } = verifyReceipt(seen);
  const transaction = chain === null ? {} : transactionOf(ledger, object);
  return { receiptId: id, network: ledger.network, verdict, checks, receipt, chain, ...transaction };
}

const DEEP_AT_ONCE = 2;
const DEEP_MS = 120_000;
let deepLooks = 0;

function refuseWhenBusy(): void {
  if (deepLooks < DEEP_AT_ONCE) return;
  throw new PortcullisError("verifier-busy", "Deep verifications are under way already. Ask again in a minute.");
}

/** What is not derived in time is left out, and so is not known. */
async function derivedIds(
  derive: DeriveBlobId | undefined,
  seen: readonly (readonly [blobId: string | undefined, bytes: Seen["blob"]])[],
  departure: AbortSignal | undefined,
): Promise<Map<string, string>> {
  refuseWhenBusy();
  deepLooks += 1;
  const late = AbortSignal.timeout(DEEP_MS);
  const signal = departure === undefined ? late : AbortSignal.any([late, departure]);
  try {
    const derived = new Map<string, string>();
    for (const [blobId, bytes] of seen) {
      if (derive === undefined || blobId === undefined || typeof bytes === "string" || derived.has(blobId)) continue;
      const id = await derive(bytes, signal).catch(() => undefined);
      if (id !== undefined) derived.set(blobId, id);
    }
    return derived;
  } finally {
    deepLooks -= 1;
  }
}

function addressOf(receiptId: string): string {
  const address = fullAddress(receiptId);
  if (address !== undefined) return address;
  throw new PortcullisError("invalid-request", "A receipt id is 0x and up to 64 hexadecimal digits.", {
    fields: [{ parameter: "receiptId", detail: "must be 0x and 1 to 64 hexadecimal digits" }],
  });
}

type Seeing<T> = T | "missing" | "unreachable";

/** Who fails or hangs has not answered, which is no answer and no error either. */
async function within<T>(ms: number, ask: () => Promise<T | undefined>): Promise<Seeing<T>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"unreachable">((resolve) => {
    timer = setTimeout(resolve, ms, "unreachable");
  });
  const asked = async (): Promise<Seeing<T>> => (await ask()) ?? "missing";
  try {
    return await Promise.race([asked(), late]);
  } catch {
    return "unreachable";
  } finally {
    clearTimeout(timer);
  }
}

/** A frozen object was last touched by the transaction that made it. */
function transactionOf(ledger: VerifyDeps["ledger"], object: Seeing<LedgerObject>) {
  if (typeof object === "string" || object.previousTransaction === null) return {};
  const txDigest = object.previousTransaction;
  return { txDigest, explorerUrl: ledger.explorerUrl(txDigest) };
}
