// How many may do something at once. Whoever waits longest goes next.

export interface Lanes {
  /** Rejects with the signal's reason when no lane came free before. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

// Over the process, however many stores there are: a publisher takes 8 at a time and answers 429 beyond its queue, and
// sockets are the process's.
export const storeLanes = createLanes(8);
export const readLanes = createLanes(128);

export function createLanes(size: number): Lanes {
  let free = size;
  // A set keeps the order of arrival, and lets one who gives up leave from the middle.
  const waiting = new Set<() => void>();

  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      waiting.delete(go);
      reject(signal.reason);
    };
    const go = () => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
    waiting.add(go);
    signal.addEventListener("abort", giveUp, { once: true });
    await promise;
  }

  /** The lane is handed on, not freed: nobody who comes now overtakes those who wait. */
  function leave(): void {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return {
    async run(signal, work) {
      await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
