/** Runs a generator to its end, with a turn of the event loop wherever it yields, so that long work holds up nobody. */
export async function runInSlices<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
