// Deadlines. A call that leaves the process never waits longer than its deadline, also when the callee ignores the
// abort signal that it was given.

/** The reason of a signal that aborted because its time was up. It tells a deadline from a caller who went away. */
export class DeadlineExceeded extends Error {
  override readonly name = "DeadlineExceeded";
}

export interface Deadline {
  /** Aborts when the time is up, or when the outer signal aborts. */
  readonly signal: AbortSignal;
  /** Milliseconds until the time is up. */
  remaining(): number;
}

interface DeadlineOptions {
  /** Ends the work earlier, with its own reason. */
  readonly signal?: AbortSignal | undefined;
  /** Makes the error of a deadline that has passed; `DeadlineExceeded` when left out. */
  readonly onTimeout?: (() => unknown) | undefined;
}

/**
 * Runs `work` under a deadline. Rejects when the time is up or the outer signal aborts, whatever the work does then;
 * the work's later outcome is ignored.
 */
export async function withDeadline<T>(
  ms: number,
  work: (deadline: Deadline) => Promise<T>,
  { signal: outer, onTimeout = () => new DeadlineExceeded(`not within ${Math.round(ms)} ms`) }: DeadlineOptions = {},
): Promise<T> {
  outer?.throwIfAborted();
  const end = performance.now() + ms;
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(onTimeout()), ms);
  const forward = () => controller.abort(outer?.reason);
  outer?.addEventListener("abort", forward, { once: true });
  try {
    return await untilAborted(signal, work({ signal, remaining: () => Math.max(0, end - performance.now()) }));
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", forward);
  }
}

/** The outcome of `work`, or `fallback` when it takes longer than `ms`. The work itself is not ended. */
export async function orAfter<T, F>(ms: number, work: Promise<T>, fallback: F): Promise<T | F> {
  const late = Promise.withResolvers<F>();
  const timer = setTimeout(late.resolve, ms, fallback);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Settles as `work` does, or rejects with the signal's reason as soon as it aborts. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
