// A blob store on Walrus, over HTTP: a publisher stores blobs, aggregators serve them.
import { setTimeout as delay } from "node:timers/promises";
import { createSemaphore, type Semaphore } from "#async/semaphore.ts";
import { type Deadline, DeadlineExceeded, withDeadline } from "#async/with-deadline.ts";
import { jitteredBackoffMs } from "#core/backoff.ts";
import { isBlobId } from "#core/blob-id.ts";
import { configurationError, PortcullisError } from "#core/errors.ts";
import type { BlobStore } from "#ports.ts";
import { exchange } from "./http-exchange.ts";
import { parseReadResponse, parseStoreResponse, type Result } from "./parse-response.ts";

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
  readonly epochMs?: number;
  /** The JWT of a publisher that requires one. */
  readonly token?: string;
  /** Stores blobs that nobody can delete before their end epoch, not even their owner. */
  readonly permanent?: boolean;
  readonly timeouts?: Partial<typeof TIMEOUTS>;
}

export function walrusBlobs(options: WalrusOptions): BlobStore {
  const { epochs = 5, epochMs = DAY_MS, permanent = false } = options;
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
          async (url, signal) => parseStoreResponse(await exchange(url, { ...init, signal })),
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
            return parseReadResponse(await exchange(url, { ...init, headers, signal }));
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
  return withDeadline(ms, (deadline) => permits.run(() => work(deadline), deadline), { signal, onTimeout });
}

// A publisher or an aggregator. An error about its URL or its token quotes neither, because both may hold secrets.

interface Endpoint {
  /** Without credentials, because errors of an HTTP client may quote the URL. The credentials are in `headers`. */
  readonly blobsUrl: string;
  readonly headers: Record<string, string>;
}

function endpointOf(role: "publisher" | "aggregator", url: string, token?: string): Endpoint {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.search !== "" || parsed.hash !== "")
    throw configurationError(`The ${role}'s URL must be an http or https URL without a query or a fragment.`);
  const basic = basicAuthorization(role, parsed);
  if (basic !== undefined && token !== undefined)
    throw configurationError(`The ${role} has credentials in its URL and a token. Set one of them.`);
  const authorization = basic ?? (token === undefined ? undefined : bearerAuthorization(token));
  return {
    blobsUrl: `${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}/v1/blobs`,
    headers: authorization === undefined ? {} : { Authorization: authorization },
  };
}

function basicAuthorization(role: string, { username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(pair).toString("base64")}`;
  } catch {
    throw configurationError(`The credentials in the ${role}'s URL are not percent-encoded.`);
  }
}

/** Allows the characters of RFC 6750. With others, setting the header would fail with an error that quotes the token. */
function bearerAuthorization(token: string): string {
  if (/^[\w.~+/-]+=*$/.test(token)) return `Bearer ${token}`;
  throw configurationError("The publisher's token has characters that a bearer token cannot have.");
}

// Retries with exponential backoff and jitter over several endpoints, under one deadline. Each round asks the endpoints
// in their order. The next round asks those again whose failure may be over by then.

interface RetryOptions {
  readonly tries: number;
  /** The pause before the second round. It doubles before each further one. */
  readonly pauseMs: number;
  readonly random: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

type Ask<E, T> = (endpoint: E, signal: AbortSignal) => Promise<Result<T>>;

/** Undefined when every endpoint says that it has no such blob. Rejects when one did not say: it might have it. */
export async function retryEndpoints<E, T>(
  endpoints: readonly E[],
  ask: Ask<E, T>,
  { tries, pauseMs, random, sleep }: RetryOptions,
  deadline: Deadline,
): Promise<T | undefined> {
  const failures = new Map<E, PortcullisError>();
  let poor: { readonly value: T } | undefined;
  let asking = endpoints;
  for (let round = 1; ; round += 1) {
    const retries = new Map<E, number>();
    for (const [place, endpoint] of asking.entries()) {
      const result = await askInShare(endpoint, ask, asking.length - place, deadline);
      if (result.kind === "ok") return result.value;
      if (result.kind === "poor") poor ??= result;
      if (result.kind === "absent" || result.kind === "poor") failures.delete(endpoint);
      else failures.set(endpoint, result.error);
      if (result.kind === "retry") retries.set(endpoint, result.retryAfterMs ?? 0);
    }
    if (poor !== undefined) return poor.value;
    const [failure] = failures.values();
    if (failure === undefined) return undefined;
    if (retries.size === 0 || round === tries) throw failure;
    // The jitter is added to the Retry-After, so that clients that were rejected together do not return together.
    const pause = Math.min(...retries.values()) + jitteredBackoffMs(round - 1, { firstMs: pauseMs }, random);
    if (pause >= deadline.remaining()) throw failure;
    await sleep(pause, deadline.signal);
    asking = [...retries.keys()];
  }
}

/** Gives each endpoint an equal share of the remaining time, so that one that hangs leaves time for the others. */
async function askInShare<E, T>(endpoint: E, ask: Ask<E, T>, sharers: number, deadline: Deadline): Promise<Result<T>> {
  const { signal } = deadline;
  if (sharers === 1) return ask(endpoint, signal);
  try {
    return await withDeadline(deadline.remaining() / sharers, (share) => ask(endpoint, share.signal), { signal });
  } catch (error) {
    if (signal.aborted || !(error instanceof DeadlineExceeded)) throw error;
    const message = "An aggregator did not answer in time. Try again later.";
    return { kind: "failed", error: new PortcullisError("blob-store-failed", message, { cause: error }) };
  }
}
