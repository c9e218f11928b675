// Verifies a receipt in this browser: fetches the object, then the receipt's blob, then the memories' blobs. Core decides
// what to fetch next and what the result is, with the code that the service runs.
import { createSemaphore } from "#async/semaphore.ts";
import { memoryBlobsToFetch, receiptBlobToFetch } from "#core/verify/blobs-to-fetch.ts";
import type { FetchedBlob, Observation } from "#core/verify/observation.ts";
import { NOTHING_PENDING, type PendingFetches, type Progress, progressOf } from "#core/verify/progress.ts";
import { fetchBlob } from "#web/api/blob-store.ts";
import { client } from "#web/api/client.ts";
import { fetchServiceInfo } from "#web/api/queries.ts";
import { fetchObject, type LedgerSource } from "./fetch-object.ts";
import type { ObjectResult } from "./fetched-object.ts";

/** The servers that this browser asks. */
export interface Sources extends LedgerSource {
  readonly aggregator: string;
}

/** The current state of a verification in this browser. */
export interface BrowserVerification {
  /** Undefined until the service has named them. */
  readonly sources: Sources | undefined;
  readonly object: ObjectResult;
  readonly observation: Observation;
  readonly progress: Progress;
}

/** A browser opens about as many connections to one server. */
const MAX_CONCURRENT_FETCHES = 6;

/** Calls `report` after every step. `receiptId` must have its full length. */
export async function verifyInBrowser(
  receiptId: string,
  signal: AbortSignal,
  report: (verification: BrowserVerification) => void,
): Promise<void> {
  let sources: Sources | undefined;
  let object: ObjectResult = "unreachable";
  let observation: Observation = { receiptId, packageId: "", object, blob: "unreachable", memories: new Map() };
  const add = (more: Partial<Observation>, pending: PendingFetches): void => {
    observation = { ...observation, ...more };
    if (!signal.aborted) report({ sources, object, observation, progress: progressOf(observation, pending) });
  };

  add({}, { ...NOTHING_PENDING, object: true, blob: true });
  sources = await fetchSources();
  const [packages, fetched] = await Promise.all([fetchPackages(signal), fetchObject(receiptId, sources, signal)]);
  object = fetched;
  add({ packageId: "", ...packages, object: packages === undefined ? "unreachable" : fetched }, NOTHING_PENDING);

  const { aggregator } = sources;
  const blobId = receiptBlobToFetch(observation);
  if (blobId === undefined) return;
  add({}, { ...NOTHING_PENDING, blob: true });
  const blob = await fetchBlob(aggregator, blobId, signal);
  const pending = new Set(memoryBlobsToFetch({ ...observation, blob }));
  add({ blob }, { ...NOTHING_PENDING, memories: pending });

  const memories = new Map<string, FetchedBlob>();
  const semaphore = createSemaphore(MAX_CONCURRENT_FETCHES);
  const fetchMemory = (storeRef: string) =>
    semaphore.run(async () => {
      memories.set(storeRef, await fetchBlob(aggregator, storeRef, signal));
      pending.delete(storeRef);
      add({ memories: new Map(memories) }, { ...NOTHING_PENDING, memories: pending });
    });
  await Promise.all([...pending].map(fetchMemory));
}

async function fetchSources(): Promise<Sources> {
  const { ledger, blobs } = await fetchServiceInfo();
  return { ...ledger, aggregator: blobs.aggregator };
}

/** Undefined when the service does not say which packages' receipts are its own. */
async function fetchPackages(
  signal: AbortSignal,
): Promise<Pick<Observation, "packageId" | "formerPackageId"> | undefined> {
  return client.getLedger({ signal }).then(
    ({ packageId, formerPackageId }) => ({ packageId, formerPackageId }),
    () => undefined,
  );
}
