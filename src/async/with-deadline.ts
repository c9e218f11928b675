// Deadlines: a call never waits longer, also when the callee ignores its abort signal.
/** The reason of a signal that aborted because its time was up. It tells a deadline from a caller who went away. */
export class DeadlineExceeded extends Error {
  override readonly name = "DeadlineExceeded";
}

export interface Deadline {
  readonly signal: AbortSignal;
  remaining(): number;
}

interface DeadlineOptions {
  /** Ends the work earlier, with its own reason. */
  readonly signal?: AbortSignal | undefined;
  /** Makes the error of a deadline that has passed; `DeadlineExceeded` when left out. */
  readonly onTimeout?: (() => unknown) | undefined;
}

/** Rejects when the time is up or the outer signal aborts, whatever the work does then; its outcome is ignored. */
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
  const unlink = forwardAbort(outer, controller);
  try {
    return await untilAborted(signal, work({ signal, remaining: () => Math.max(0, end - performance.now()) }));
  } catch (error) {
    // No timer is left to end what was begun beside the part that failed.
    controller.abort(error);
    throw error;
  } finally {
    clearTimeout(timer);
    unlink();
  }
}

/** Aborts the controller when the signal aborts, with its reason. Answers with what ends that. */
export function forwardAbort(signal: AbortSignal | undefined, controller: AbortController): () => void {
  const forward = () => controller.abort(signal?.reason);
  if (signal?.aborted) forward();
  else signal?.addEventListener("abort", forward, { once: true });
  return () => signal?.removeEventListener("abort", forward);
}

/** The outcome of `work`, or `fallback` when it takes longer than `ms`. The work itself is not ended. */
export function orAfter<T, F>(ms: number, work: Promise<T>, fallback: F): Promise<T | F> {
  return new Promise<T | F>((resolve, reject) => {
    const timer = setTimeout(resolve, ms, fallback);
    settleWith(work, { resolve, reject, onSettled: () => clearTimeout(timer) });
  });
}

/** Settles as `work` does, or rejects with the signal's reason as soon as it aborts. */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    settleWith(work, { resolve, reject, onSettled: () => signal.removeEventListener("abort", onAbort) });
  });
}

interface Settling<T> {
  resolve(value: T): void;
  reject(reason: unknown): void;
  onSettled(): void;
}

/** Promise.race would do, with three more promises. Every request waits here. */
function settleWith<T>(work: Promise<T>, { resolve, reject, onSettled }: Settling<T>): void {
  work.then(
    (value) => {
      onSettled();
      resolve(value);
    },
    (reason) => {
      onSettled();
      reject(reason);
    },
  );
}

/** The signal of work that nothing can end early. Whoever listens to it must stop listening: it is never collected. */
export const NEVER_ABORTS: AbortSignal = new AbortController().signal;

// Elapsed time, also across a pause of the whole machine. A monotonic clock may stand still while a virtual machine is
// suspended, and the wall clock may be set back: the one that moved most counts.

type Clock = () => number;

const CLOCKS: readonly Clock[] = [() => performance.now(), () => Date.now()];

/** Answers with a function that says how many milliseconds have passed since. */
export function startTimer(clocks: readonly Clock[] = CLOCKS): () => number {
  const began = clocks.map((clock) => clock());
  return () => Math.max(...clocks.map((clock, i) => clock() - (began[i] ?? 0)));
}
