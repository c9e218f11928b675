// The verification in this browser, step by step: what is certain so far says where to look next, as in the service.
// What comes of it is decided in core, by the same code that the service runs.

import { memoryBlobsToFetch, receiptBlobToFetch } from "#core/verify/blobs-to-fetch.ts";
import type { FetchedBlob, Observation } from "#core/verify/observation.ts";
import { NOTHING_PENDING, type PendingFetches, type Progress, progressOf } from "#core/verify/progress.ts";
import { client, keys, queryClient } from "#web/api.ts";
import { fetchBlob } from "./blob.ts";
import type { Found } from "./found.ts";
import { findObject } from "./object.ts";

/** Where this browser looks. */
export interface Where {
  readonly network: string;
  /** Absent for the local ledger. */
  readonly url?: string | undefined;
  readonly aggregator: string;
}

export interface Look {
  readonly where: Where | undefined;
  readonly object: Found;
  readonly seen: Observation;
  readonly progress: Progress;
}

/** As many as a browser asks of one server at a time. */
const AT_ONCE = 6;

/** `tell` is called whenever something came, and at the end once more. `receiptId`: in full length. */
export async function lookAt(receiptId: string, signal: AbortSignal, tell: (look: Look) => void): Promise<void> {
  let where: Where | undefined;
  let object: Found = "unreachable";
  let seen: Observation = { receiptId, packageId: "", object, blob: "unreachable", memories: new Map() };
  const saw = (more: Partial<Observation>, awaited: PendingFetches): void => {
    seen = { ...seen, ...more };
    if (!signal.aborted) tell({ where, object, seen, progress: progressOf(seen, awaited) });
  };

  saw({}, { ...NOTHING_PENDING, object: true, blob: true });
  where = await whereToLook();
  const [packageId, found] = await Promise.all([packageIdOf(signal), findObject(receiptId, where, signal)]);
  object = found;
  saw({ packageId: packageId ?? "", object: packageId === undefined ? "unreachable" : found }, NOTHING_PENDING);

  const { aggregator } = where;
  const blobId = receiptBlobToFetch(seen);
  if (blobId === undefined) return;
  saw({}, { ...NOTHING_PENDING, blob: true });
  const blob = await fetchBlob(aggregator, blobId, signal);
  const awaited = new Set(memoryBlobsToFetch({ ...seen, blob }));
  saw({ blob }, { ...NOTHING_PENDING, memories: awaited });

  const memories = new Map<string, FetchedBlob>();
  await eachOf([...awaited], async (ref) => {
    memories.set(ref, await fetchBlob(aggregator, ref, signal));
    awaited.delete(ref);
    saw({ memories: new Map(memories) }, { ...NOTHING_PENDING, memories: awaited });
  });
}

async function whereToLook(): Promise<Where> {
  const { ledger, blobs } = await queryClient.fetchQuery({
    queryKey: keys.service,
    queryFn: () => client.getService(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { ...ledger, aggregator: blobs.aggregator };
}

/** Undefined when the service cannot tell which package's receipts are its own. */
async function packageIdOf(signal: AbortSignal): Promise<string | undefined> {
  return client.getLedger({ signal }).then(
    ({ packageId }) => packageId,
    () => undefined,
  );
}

async function eachOf(refs: readonly string[], work: (ref: string) => Promise<void>): Promise<void> {
  const waiting = refs[Symbol.iterator]();
  const lane = async () => {
    for (const ref of waiting) await work(ref);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
