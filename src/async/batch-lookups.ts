// Batched look-ups: those that arrive while one runs share the next one. So each caller gets an answer that was read
// after its call, and many callers cost few round trips.

interface Waiting<K, V> {
  readonly key: K;
  resolve(value: V | undefined): void;
  reject(error: unknown): void;
}

/** `load` finds at most `max` keys at a time. A key that it does not find is undefined. */
export function batchLookups<K, V>(
  max: number,
  load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): (key: K) => Promise<V | undefined> {
  let waiting: Waiting<K, V>[] = [];
  let isRunning = false;

  async function settle(batch: readonly Waiting<K, V>[]): Promise<void> {
    try {
      const found = await load([...new Set(batch.map(({ key }) => key))]);
      for (const { key, resolve } of batch) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    // Look-ups of this turn of the event loop join the first batch.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, max);
      waiting = waiting.slice(max);
      await settle(batch);
    }
    isRunning = false;
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (!isRunning) void run();
    });
}
