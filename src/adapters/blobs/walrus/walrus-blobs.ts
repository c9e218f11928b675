// A blob store on Walrus, over HTTP: a publisher stores blobs, aggregators serve them.
import { setTimeout as delay } from "node:timers/promises";
import { createSemaphore, type Semaphore } from "#async/semaphore.ts";
import { type Deadline, DeadlineExceeded, withDeadline } from "#async/with-deadline.ts";
import { isBlobId } from "#core/blob-id.ts";
import { configurationError, PortcullisError } from "#core/errors.ts";
import type { BlobStore } from "#ports.ts";
import { endpointOf } from "./endpoint.ts";
import { exchange } from "./http-exchange.ts";
import { type Fetch, httpFetch } from "./http-fetch.ts";
import { parseReadResponse, parseStoreResponse } from "./parse-response.ts";
import { retryEndpoints } from "./retry-endpoints.ts";

const TIMEOUTS = {
  /** The deadline of a store, with all its retries and the wait for a permit. */
  storeMs: 60_000,
  /** The deadline of a read over all aggregators, with the wait for a permit. */
  readMs: 3_000,
  storeTries: 5,
  readTries: 3,
  storePauseMs: 500,
  readPauseMs: 100,
  random: Math.random,
  sleep: (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal }),
};

/** A publisher handles this many stores at a time, and answers 429 beyond its queue. */
const PUBLISHER_CONCURRENCY = 8;

// All stores of the process share both semaphores: the publisher's limit holds for all of them together, and sockets
// belong to the process.
const storePermits = createSemaphore(PUBLISHER_CONCURRENCY);
const readPermits = createSemaphore(128);

/** An epoch of the test network. On the main network it has two weeks. */
const DAY_MS = 86_400_000;

/** A publisher's answer has a few hundred bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Our blobs are facts and receipts, of some tens of KiB at most. */
const MAX_BLOB_BYTES = 1024 * 1024;

export interface WalrusOptions {
  readonly publisher: string;
  /** In the order in which they are asked. */
  readonly aggregators: readonly string[];
  readonly epochs?: number;
  /** How long an epoch of the network takes. */
  readonly epochMs?: number;
  /** The JWT of a publisher that requires one. */
  readonly token?: string;
  /** Stores blobs that nobody can delete before their end epoch, not even their owner. */
  readonly permanent?: boolean;
  readonly fetch?: Fetch;
  readonly timeouts?: Partial<typeof TIMEOUTS>;
}

export function walrusBlobs(options: WalrusOptions): BlobStore {
  const { epochs = 5, epochMs = DAY_MS, permanent = false, fetch = httpFetch } = options;
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const publisher = endpointOf("publisher", options.publisher, options.token);
  const aggregators = options.aggregators.map((url) => endpointOf("aggregator", url));
  if (aggregators.length === 0) throw configurationError("There must be at least one aggregator.");
  const storeUrl = `${publisher.blobsUrl}?epochs=${epochs}${permanent ? "&permanent=true" : ""}`;
  const storeRetries = { ...timeouts, tries: timeouts.storeTries, pauseMs: timeouts.storePauseMs };
  const readRetries = { ...timeouts, tries: timeouts.readTries, pauseMs: timeouts.readPauseMs };

  return {
    putConcurrency: PUBLISHER_CONCURRENCY,
    // The epoch under way counts as one of them, and may be about to end.
    leaseMs: (epochs - 1) * epochMs,

    async put(bytes, { signal, fence } = {}) {
      // A copy: the store may wait or retry, and the caller may change its bytes meanwhile.
      const body = Uint8Array.from(bytes);
      const headers = { ...publisher.headers, "Content-Type": "application/json" };
      const init = { method: "PUT", headers, body, maxBytes: MAX_ANSWER_BYTES, fence } as const;
      const stored = await withPermit("store the blob", timeouts.storeMs, signal, storePermits, (deadline) =>
        retryEndpoints(
          [storeUrl],
          async (url, signal) => parseStoreResponse(await exchange(fetch, url, { ...init, signal })),
          storeRetries,
          deadline,
        ),
      );
      if (stored === undefined) throw new PortcullisError("blob-store-failed", "The publisher stored nothing.");
      return stored;
    },

    async get(blobId, { signal } = {}) {
      // No store has a blob with such an id, and in a URL it could stand for something else.
      if (!isBlobId(blobId)) return undefined;
      const init = { method: "GET", maxBytes: MAX_BLOB_BYTES } as const;
      return withPermit("read the blob", timeouts.readMs, signal, readPermits, (deadline) =>
        retryEndpoints(
          aggregators,
          async ({ blobsUrl, headers }, signal) => {
            const url = `${blobsUrl}/${encodeURIComponent(blobId)}`;
            return parseReadResponse(await exchange(fetch, url, { ...init, headers, signal }));
          },
          readRetries,
          deadline,
        ),
      );
    },
  };
}

/** Runs `work` with a permit, under a deadline. A caller that aborts gets the reason of its own signal. */
function withPermit<T>(
  action: string,
  ms: number,
  signal: AbortSignal | undefined,
  permits: Semaphore,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const onTimeout = () => {
    const message = `Could not ${action} within ${ms / 1_000} s. Try again later.`;
    return new PortcullisError("blob-store-failed", message, { cause: new DeadlineExceeded() });
  };
  return withDeadline(ms, (deadline) => permits.run(() => work(deadline), deadline.signal), { signal, onTimeout });
}
