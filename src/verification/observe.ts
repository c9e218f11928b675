// Fetches what a verification needs, step by step. Core decides what is fetched next and what the result is. The
// service, the page and the command line differ only in whom they ask.
import { createSemaphore } from "#async/semaphore.ts";
import { isDerivedBlobId } from "#core/blob-id.ts";
import * as next from "#core/verify/next-fetches.ts";
import type { Fetched, FetchedBlob, FetchedObject, Observation } from "#core/verify/observation.ts";
import { NOTHING_PENDING, type PendingFetches } from "#core/verify/verify-receipt.ts";

/** How a verifier asks. None of these rejects. */
export interface Fetchers {
  /** The package whose receipts are the service's own. Undefined when the service does not say. */
  packageId(): Promise<string | undefined>;
  object(objectId: string): Promise<Fetched<FetchedObject>>;
  blob(blobId: string): Promise<FetchedBlob>;
  /** The blob of a used memory, if it is fetched in another way. */
  memory?(blobId: string): Promise<FetchedBlob>;
  /** What the service says of a memory whose blob is missing; undefined if it says nothing. */
  tombstone?(memoryId: string): Promise<unknown>;
  policyHolder?(anchor: next.AnchorToJudge): Promise<Observation["policyHolder"]>;
  /** For bundles, which keep it: no check reads it. Undefined if nobody answers. */
  transaction?(digest: string): Promise<unknown>;
  /** Milliseconds since 1970. */
  now?(): number;
}

interface ObserveOptions extends Pick<Observation, "trusted" | "opening" | "unanchored"> {
  /** Called after every step, with what is still being fetched. */
  readonly onStep?: ((observation: Observation, pending: PendingFetches) => void) | undefined;
  readonly concurrency?: number;
}

/** A browser opens about as many connections to one server. */
const CONCURRENT_FETCHES = 6;

/** `receiptId` must have its full length. Of a receipt that was not anchored it is empty. */
export async function observeReceipt(
  receiptId: string,
  fetchers: Fetchers,
  { onStep, trusted, opening, unanchored, concurrency = CONCURRENT_FETCHES }: ObserveOptions = {},
): Promise<Observation> {
  let observation: Observation = {
    receiptId,
    packageId: "",
    object: "unreachable",
    gate: "unreachable",
    closing: "unreachable",
    blob: "unreachable",
    memories: new Map(),
    nowMs: (fetchers.now ?? Date.now)(),
    ...(trusted !== undefined && { trusted }),
    opening,
    unanchored,
  };
  let pending: PendingFetches = { ...NOTHING_PENDING, object: true };
  const step = (more: Partial<Observation>, left: Partial<PendingFetches>): void => {
    observation = { ...observation, ...more };
    pending = { ...pending, ...left };
    onStep?.(observation, pending);
  };
  step({}, {});

  const [packageId, object] = await Promise.all([
    fetchers.packageId(),
    unanchored === undefined ? fetchers.object(receiptId) : ("unreachable" as const),
  ]);
  const known = { packageId: packageId ?? "", object: packageId === undefined ? "unreachable" : object } as const;
  const named = next.namedByObject({ ...observation, ...known });
  if (named === undefined && unanchored === undefined) {
    step(known, { object: false });
    return observation;
  }
  step(known, { object: false, gate: true, blob: true });
  const [gate, blob] =
    named === undefined
      ? (["unreachable", "unreachable"] as const)
      : await Promise.all([fetchers.object(named.gate), fetchers.blob(named.blobId)]);
  const seen = { ...observation, gate, blob };
  const closingId = next.closingToFetch(seen);
  const anchor = next.anchorToJudge(seen);
  const left = new Set(next.memoryBlobsToFetch(seen));
  const asked = { closing: closingId !== undefined, policyHolder: anchor !== undefined, memories: left };
  step({ gate, blob }, { gate: false, blob: false, ...asked });

  const semaphore = createSemaphore(concurrency);
  const fetchMemory = (storeRef: string) =>
    semaphore.run(async () => {
      const fetched = await (fetchers.memory ?? fetchers.blob)(storeRef);
      left.delete(storeRef);
      step({ memories: new Map([...observation.memories, [storeRef, fetched]]) }, { memories: left });
    });
  const fetchClosing = async (id: string) => step({ closing: await fetchers.object(id) }, { closing: false });
  const fetchHolder = async (of: next.AnchorToJudge) =>
    step({ policyHolder: await fetchers.policyHolder?.(of) }, { policyHolder: false });
  await Promise.all([
    ...(closingId === undefined ? [] : [fetchClosing(closingId)]),
    ...(anchor === undefined ? [] : [fetchHolder(anchor)]),
    ...[...left].map(fetchMemory),
  ]);

  const forgotten = next.tombstonesToFetch(observation);
  if (forgotten.length === 0 || fetchers.tombstone === undefined) return observation;
  const tombstones = await Promise.all(
    forgotten.map(async (id) => [id, await semaphore.run(async () => fetchers.tombstone?.(id))] as const),
  );
  step({ tombstones: new Map(tombstones) }, {});
  return observation;
}

// A deep verification: the ids of blobs, derived from the bytes that were fetched under them.

/** The id that follows from a blob's bytes. It takes seconds on Walrus. */
type Derive = (bytes: Uint8Array, signal: AbortSignal) => Promise<string>;

const DEADLINE_MS = 120_000;

/** Derives ids one after another. An id that fails or is not derived in time is left out, so its check is unknown. */
export async function withDerivedIds(
  observation: Observation,
  derive: Derive | undefined,
  departure?: AbortSignal,
): Promise<Observation> {
  const timeout = AbortSignal.timeout(DEADLINE_MS);
  const signal = departure === undefined ? timeout : AbortSignal.any([timeout, departure]);
  const derivedIds = new Map<string, string>();
  const fetched = [[next.namedByObject(observation)?.blobId ?? "", observation.blob], ...observation.memories] as const;
  for (const [blobId, bytes] of fetched) {
    if (derive === undefined || typeof bytes === "string" || derivedIds.has(blobId)) continue;
    if (!isDerivedBlobId(blobId)) continue;
    const id = await derive(bytes, signal).catch(() => undefined);
    if (id !== undefined) derivedIds.set(blobId, id);
  }
  return { ...observation, derivedIds };
}
