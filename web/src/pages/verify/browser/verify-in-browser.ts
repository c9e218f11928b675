// Verifies a receipt in this browser: fetches the object, then the gate and the receipt's blob, then the memories' blobs.
// Core decides what to fetch next and what the result is, with the code that the service runs.
import { createSemaphore } from "#async/semaphore.ts";
import { memoryBlobsToFetch, namedByObject, tombstonesToFetch } from "#core/verify/blobs-to-fetch.ts";
import type { FetchedBlob, FetchedObject, Observation, Pins } from "#core/verify/observation.ts";
import { NOTHING_PENDING, type PendingFetches, type Progress, progressOf } from "#core/verify/progress.ts";

/** How this browser asks: servers that it chose, or that the service named. */
export interface Fetchers {
  /** Undefined when the service does not say which packages' receipts are its own. */
  packages(): Promise<Pick<Observation, "packageId" | "formerPackageId"> | undefined>;
  object(objectId: string): Promise<FetchedObject | "missing" | "unreachable">;
  blob(blobId: string): Promise<FetchedBlob>;
  /** What the service says of a memory whose blob is missing; undefined if it says nothing. */
  tombstone?(memoryId: string): Promise<unknown>;
}

/** The current state of a verification in this browser. */
export interface BrowserVerification {
  readonly observation: Observation;
  readonly progress: Progress;
}

interface VerifyOptions {
  readonly signal: AbortSignal;
  /** Called after every step. */
  readonly report?: (verification: BrowserVerification) => void;
  readonly pins?: Pins | undefined;
}

/** A browser opens about as many connections to one server. */
const MAX_CONCURRENT_FETCHES = 6;

/** `receiptId` must have its full length. */
export async function verifyInBrowser(
  receiptId: string,
  fetchers: Fetchers,
  { signal, report, pins }: VerifyOptions,
): Promise<BrowserVerification> {
  let current = observe(
    {
      receiptId,
      packageId: "",
      object: "unreachable",
      gate: "unreachable",
      blob: "unreachable",
      memories: new Map(),
      ...(pins !== undefined && { pins }),
    },
    { ...NOTHING_PENDING, object: true },
  );

  function observe(observation: Observation, pending: PendingFetches): BrowserVerification {
    const verification = { observation, progress: progressOf(observation, pending) };
    if (!signal.aborted) report?.(verification);
    return verification;
  }
  const add = (more: Partial<Observation>, pending: PendingFetches): void => {
    current = observe({ ...current.observation, ...more }, pending);
  };

  const [packages, object] = await Promise.all([fetchers.packages(), fetchers.object(receiptId)]);
  const known = { packageId: "", ...packages, object: packages === undefined ? "unreachable" : object } as const;
  const named = namedByObject({ ...current.observation, ...known });
  if (named === undefined) {
    add(known, NOTHING_PENDING);
    return current;
  }
  add(known, { ...NOTHING_PENDING, gate: true, blob: true });
  const [gate, blob] = await Promise.all([fetchers.object(named.gate), fetchers.blob(named.blobId)]);
  const pending = new Set(memoryBlobsToFetch({ ...current.observation, blob }));
  add({ gate, blob }, { ...NOTHING_PENDING, memories: pending });

  const memories = new Map<string, FetchedBlob>();
  const semaphore = createSemaphore(MAX_CONCURRENT_FETCHES);
  const fetchMemory = (storeRef: string) =>
    semaphore.run(async () => {
      memories.set(storeRef, await fetchers.blob(storeRef));
      pending.delete(storeRef);
      add({ memories: new Map(memories) }, { ...NOTHING_PENDING, memories: pending });
    });
  await Promise.all([...pending].map(fetchMemory));
  const forgotten = tombstonesToFetch(current.observation);
  if (forgotten.length === 0 || fetchers.tombstone === undefined) return current;
  const tombstones = await Promise.all(
    forgotten.map(async (id) => [id, await semaphore.run(async () => fetchers.tombstone?.(id))] as const),
  );
  add({ tombstones: new Map(tombstones) }, NOTHING_PENDING);
  return current;
}
