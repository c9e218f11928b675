// How long something may take, as a signal: everything that waits in this adapter waits for the signal too.

/** The reason of a signal whose time ran out, so that it is not mistaken for a caller who went away. */
export class Late extends Error {
  override readonly name = "Late";
}

export interface Deadline {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  left(): number;
}

/** Ends with `Late` after `ms`, or with the outer signal's reason. The timer goes when the work is done. */
export async function within<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const end = performance.now() + ms;
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(new Late(`not within ${Math.round(ms)} ms`)), ms);
  const passOn = () => controller.abort(outer?.reason);
  outer?.addEventListener("abort", passOn, { once: true });
  try {
    return await work({ signal, left: () => Math.max(0, end - performance.now()) });
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", passOn);
  }
}

/** A client may ignore the signal; the deadline holds all the same. */
export async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
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

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export const sleep: Sleep = async (ms, signal) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await orAborted(signal, promise);
  } finally {
    clearTimeout(timer);
  }
};
