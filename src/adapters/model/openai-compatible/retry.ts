// Retries calls that failed for a while only, within the deadline. Nothing is retried after the caller got a part of
// the answer: a second answer does not continue the first.
import type { Deadline } from "#async/with-deadline.ts";
import { backoffMs } from "./backoff.ts";
import { CallFailure, modelError } from "./failure.ts";

export interface RetryPolicy {
  /** The number of tries after the first. */
  readonly retries: number;
  /** Rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** From 0 to 1, as `Math.random`. */
  readonly random: () => number;
  /** Milliseconds since 1970, to read a date in Retry-After. */
  readonly now: () => number;
}

interface Progress extends Deadline {
  /** The caller got a part of the answer. */
  readonly hasStarted: () => boolean;
}

export async function retry<T>(
  call: () => Promise<T>,
  { signal, remaining, hasStarted }: Progress,
  { retries, sleep, random, now }: RetryPolicy,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CallFailure)) throw error;
      const { fault, isTransient } = error;
      if (tries >= retries || hasStarted() || !isTransient) throw modelError(error, hasStarted());
      const retryAfter = fault.kind === "status" ? fault.retryAfter : undefined;
      const pauseMs = backoffMs({ tries, retryAfter, random, now: now() });
      // A pause past the deadline would only delay this error.
      if (pauseMs >= remaining()) throw modelError(error, hasStarted());
      await sleep(pauseMs, signal);
    }
  }
}
