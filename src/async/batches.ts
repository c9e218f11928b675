// Batches: what arrives while a batch runs shares the next one. Callers take turns within a batch, so that one caller's
// thousand items do not go before another's one. The items of one caller keep their order.
export interface Waiting<T, R> {
  readonly item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

export interface BatchOptions<T> {
  /** The greatest weight of a batch. An item that weighs more has a batch of its own. */
  readonly max: number;
  /** One, unless it is given. */
  readonly weightOf?: (item: T) => number;
  /** All are one caller's, unless it is given. */
  readonly callerOf?: (item: T) => string;
  /** What arrives first has a batch of its own, at once, and waits for nothing else in its turn of the event loop. */
  readonly isUrgent?: boolean;
  /** A batch does not wait for the end of the one before: there is one for what arrives in each turn of the event loop. */
  readonly overlaps?: boolean;
}

/** Answers with the function that adds an item. `run` settles every item of the batch. It never rejects. */
export function createBatches<T, R>(
  { max, weightOf = () => 1, callerOf = () => "", isUrgent = false, overlaps = false }: BatchOptions<T>,
  run: (batch: readonly Waiting<T, R>[]) => Promise<void>,
): (item: T) => Promise<R> {
  /** What waits, by caller. The caller whose turn is next comes first. */
  const lines = new Map<string, Waiting<T, R>[]>();
  let isRunning = false;

  function take(): Waiting<T, R>[] {
    const batch: Waiting<T, R>[] = [];
    let weight = 0;
    // A caller that has more is added again, behind the others, and comes round again in this loop.
    for (const [caller, line] of lines) {
      const next = line[0] as Waiting<T, R>;
      weight += weightOf(next.item);
      if (weight > max && batch.length > 0) break;
      batch.push(next);
      line.shift();
      lines.delete(caller);
      if (line.length > 0) lines.set(caller, line);
    }
    return batch;
  }

  async function runAll(): Promise<void> {
    isRunning = true;
    // What arrives in this turn of the event loop joins the first batch.
    if (!isUrgent) await new Promise(setImmediate);
    while (lines.size > 0) {
      const settled = run(take());
      if (!overlaps) await settled;
    }
    isRunning = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const caller = callerOf(item);
      const line = lines.get(caller) ?? [];
      line.push({ item, resolve, reject });
      lines.set(caller, line);
      if (!isRunning) void runAll();
    });
}

/** Look-ups in batches: each answer is read after its call. `load` takes `max` keys; one not found is undefined. */
export function batchLookups<K, V>(
  max: number,
  load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): (key: K) => Promise<V | undefined> {
  return createBatches({ max }, async (batch) => {
    try {
      const found = await load([...new Set(batch.map(({ item }) => item))]);
      for (const { item, resolve } of batch) resolve(found.get(item));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  });
}
