// Bounded concurrency over a stream: at most `concurrency` items are worked on at a time, and the results come in the
// order of the items. Backpressure: no further item is read before somebody takes a result.
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const window: Promise<R>[] = [];
  for await (const item of items) {
    const working = work(item);
    // Its failure is thrown when it is its turn. If an earlier one was thrown, nobody waits for it any more.
    working.catch(() => undefined);
    window.push(working);
    if (window.length >= concurrency) yield (await window.shift()) as R;
  }
  for (const result of window) yield await result;
}

/** The same of a list, and all results at once. */
export async function mapAll<T, R>(items: readonly T[], concurrency: number, work: (item: T) => Promise<R>) {
  const results: R[] = new Array(items.length);
  const queue = items.entries();
  async function worker(): Promise<void> {
    for (const [i, item] of queue) results[i] = await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  return results;
}
