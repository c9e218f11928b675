/** Runs a generator to its end. Each yield is a turn of the event loop; a promise that it yields is awaited. */
export async function runInSlices<T>(work: Generator<unknown, T>): Promise<T> {
  let value: unknown;
  for (;;) {
    const step = work.next(value);
    if (step.done === true) return step.value;
    value = await (step.value ?? new Promise((resolve) => setImmediate(resolve)));
  }
}

/** Paces a burst: so many callers go on in each turn of the event loop, in the order in which they came. */
export function createPacedTurns(perTurn: number): () => Promise<void> {
  const waiting: (() => void)[] = [];

  function serve(): void {
    for (const goOn of waiting.splice(0, perTurn)) goOn();
    if (waiting.length > 0) setImmediate(serve);
  }

  return () =>
    new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(serve);
      waiting.push(resolve);
    });
}
