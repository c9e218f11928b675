// Retries with exponential backoff and jitter over several endpoints, under one deadline. Each round asks the endpoints
// in their order. The next round asks those again whose failure may be over by then.
import { type Deadline, DeadlineExceeded, withDeadline } from "#async/with-deadline.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Result } from "./parse-response.ts";

export interface RetryOptions {
  /** How often one endpoint is asked at most. */
  readonly tries: number;
  /** The pause before the second round. It doubles before each further one. */
  readonly pauseMs: number;
  readonly random: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

type Ask<E, T> = (endpoint: E, signal: AbortSignal) => Promise<Result<T>>;

/**
 * A poor result, when there is one and no better one. Undefined when every endpoint says that it has no such blob.
 * Rejects when one did not say: it might have the blob.
 */
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
    const pause = Math.min(...retries.values()) + pauseMs * 2 ** (round - 1) * (0.5 + random() / 2);
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
    const message = "An aggregator did not answer in its share of the time. Try again later.";
    return { kind: "failed", error: new PortcullisError("blob-store-failed", message, { cause: error }) };
  }
}
