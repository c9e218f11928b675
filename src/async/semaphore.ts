// Counting semaphore: at most `permits` jobs run at a time, and the others wait first come, first served,
// in a line that may be bounded.

export type Semaphore = ReturnType<typeof createSemaphore>;

interface Line {
  /** How many may wait. */
  readonly most: number;
  /** The error of a job that finds the line full. */
  readonly onFull: () => unknown;
}

export function createSemaphore(permits: number, lineLimit?: Line) {
  let free = permits;
  // A set keeps the order of arrival, and a job that is aborted can leave from the middle.
  const waiting = new Set<() => void>();

  async function acquire(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    if (lineLimit !== undefined && waiting.size >= lineLimit.most) throw lineLimit.onFull();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      waiting.delete(enter);
      reject(signal?.reason);
    };
    const enter = () => {
      signal?.removeEventListener("abort", leave);
      resolve();
    };
    waiting.add(enter);
    signal?.addEventListener("abort", leave, { once: true });
    await promise;
  }

  /** Hands the permit to the next in line instead of freeing it, so that nobody who comes now overtakes. */
  function release(): void {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  async function runAndRelease<T>(job: () => Promise<T>): Promise<T> {
    try {
      return await job();
    } finally {
      release();
    }
  }

  return {
    /** Runs `job` with a permit. Rejects with the signal's reason when it aborts before there was one. */
    async run<T>(job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      await acquire(signal);
      return runAndRelease(job);
    },
    /** Runs `job` if a permit is free now, and returns undefined at once if none is. */
    tryRun<T>(job: () => Promise<T>): Promise<T> | undefined {
      if (free === 0) return undefined;
      free -= 1;
      return runAndRelease(job);
    },
    /** How many jobs run. */
    running: (): number => permits - free,
    /** How many wait. */
    waiting: (): number => waiting.size,
  };
}
