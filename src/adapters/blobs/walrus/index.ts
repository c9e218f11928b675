// Walrus over HTTP: blobs are put through a publisher and read from aggregators.
import { PortcullisError } from "#core/errors.ts";
import type { BlobStore } from "#ports.ts";
import { type Deadline, Late, sleep, within } from "./deadline.ts";
import { exchange } from "./exchange.ts";
import { type Fetch, httpFetch } from "./http-fetch.ts";
import { type Lanes, readLanes, storeLanes } from "./lanes.ts";
import { peerOf } from "./peer.ts";
import { persist, type Tenacity } from "./persist.ts";
import { BLOB_ID, readVerdict, storeVerdict } from "./verdict.ts";

interface Patience extends Pick<Tenacity, "random" | "sleep"> {
  /** For a store with all its tries and the wait for a lane. */
  readonly storeMs: number;
  /** For a read, over all aggregators, with the wait for a lane. */
  readonly readMs: number;
  readonly storeTries: number;
  readonly readTries: number;
  readonly storePauseMs: number;
  readonly readPauseMs: number;
}

const PATIENCE: Patience = {
  storeMs: 60_000,
  readMs: 3_000,
  storeTries: 5,
  readTries: 3,
  storePauseMs: 500,
  readPauseMs: 100,
  random: Math.random,
  sleep,
};

/** A publisher's answer is a few hundred bytes. */
const MAX_ANSWER = 64 * 1024;
/** Ours are at most some tens of KiB: facts and receipts. */
const MAX_BLOB = 1024 * 1024;

export interface WalrusOptions {
  readonly publisher: string;
  /** Asked in this order. */
  readonly aggregators: readonly string[];
  readonly epochs?: number;
  /** For a publisher that wants a JWT. */
  readonly token?: string;
  /** So that nobody, its owner included, can delete a blob before its end. */
  readonly permanent?: boolean;
  readonly fetch?: Fetch;
  readonly patience?: Partial<Patience>;
}

export function walrusBlobs(options: WalrusOptions): BlobStore {
  const { epochs = 5, permanent = false, fetch = httpFetch } = options;
  const patience = { ...PATIENCE, ...options.patience };
  const publisher = peerOf("publisher", options.publisher, options.token);
  const aggregators = options.aggregators.map((url) => peerOf("aggregator", url));
  if (aggregators.length === 0) throw new PortcullisError("configuration", "There must be at least one aggregator.");
  const storeUrl = `${publisher.blobsUrl}?epochs=${epochs}${permanent ? "&permanent=true" : ""}`;
  const storing = { ...patience, tries: patience.storeTries, pauseMs: patience.storePauseMs };
  const reading = { ...patience, tries: patience.readTries, pauseMs: patience.readPauseMs };

  return {
    putConcurrency: 8,

    async put(bytes, { signal } = {}) {
      // It may wait for a lane and be sent again: what the caller does with its bytes meanwhile must not matter.
      const body = Uint8Array.from(bytes);
      const headers = { ...publisher.headers, "Content-Type": "application/json" };
      const stored = await inTime("store the blob", patience.storeMs, signal, storeLanes, (deadline) =>
        persist(
          [storeUrl],
          async (url, signal) =>
            storeVerdict(await exchange(fetch, url, { method: "PUT", headers, body, maxBytes: MAX_ANSWER, signal })),
          storing,
          deadline,
        ),
      );
      if (stored === undefined) throw new PortcullisError("blob-store-failed", "The publisher stored nothing.");
      return stored;
    },

    async get(blobId, { signal } = {}) {
      // No Walrus store can have it, and aggregators would only call the request malformed.
      if (!BLOB_ID.test(blobId)) return undefined;
      return inTime("read the blob", patience.readMs, signal, readLanes, (deadline) =>
        persist(
          aggregators,
          async ({ blobsUrl, headers }, signal) => {
            const url = `${blobsUrl}/${encodeURIComponent(blobId)}`;
            return readVerdict(await exchange(fetch, url, { method: "GET", headers, maxBytes: MAX_BLOB, signal }));
          },
          reading,
          deadline,
        ),
      );
    },
  };
}

/** A caller who went away gets its own reason back; a deadline of ours becomes a sentence. */
async function inTime<T>(
  what: string,
  ms: number,
  signal: AbortSignal | undefined,
  lanes: Lanes,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  try {
    return await within(ms, signal, (deadline) => lanes.run(deadline.signal, () => work(deadline)));
  } catch (error) {
    if (!(error instanceof Late)) throw error;
    const sentence = `Could not ${what} within ${ms / 1_000} s. Try again later.`;
    throw new PortcullisError("blob-store-failed", sentence, { cause: error });
  }
}
