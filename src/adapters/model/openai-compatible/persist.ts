// Tries again while there is hope and time, and never once a part of the answer was passed on: a second answer cannot
// be joined to the beginning of a first.
import { failureOf, isTransient } from "./failure.ts";
import { pauseBefore } from "./pause.ts";
import type { Seen } from "./wire.ts";

export interface Patience {
  /** How often more than once. */
  readonly retries: number;
  /** Rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** From 0 to 1, as `Math.random`. */
  readonly random: () => number;
  /** Milliseconds since 1970, to read a date in Retry-After. */
  readonly now: () => number;
}

/** One try, which notes in `seen` how far it came. */
type Try<T> = (seen: Seen) => Promise<T>;

export async function persist<T>(
  attempt: Try<T>,
  deadline: number,
  signal: AbortSignal,
  { retries, sleep, random, now }: Patience,
): Promise<T> {
  for (let tried = 0; ; tried++) {
    const seen: Seen = { hasPassedOn: false };
    try {
      return await attempt(seen);
    } catch (error) {
      signal.throwIfAborted();
      if (tried >= retries || seen.hasPassedOn || !isTransient(seen)) throw failureOf(seen, error);
      const ms = pauseBefore({ tried, retryAfter: seen.retryAfter, random, now: now() });
      // Who would have to wait past the deadline is told now what will be true then.
      if (performance.now() + ms >= deadline) throw failureOf(seen, error);
      await sleep(ms, signal);
    }
  }
}
