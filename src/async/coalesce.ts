// Single-flight with a fresh start: calls during a run share the next one, so that each gets a run that began after it.
export function coalesce(job: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function run(): Promise<void> {
    next = undefined;
    running = job().finally(() => {
      running = undefined;
    });
    return running;
  }

  return () => {
    if (next !== undefined) return next;
    if (running === undefined) return run();
    next ??= running.then(run, run);
    return next;
  };
}

/** The outcome of the first run that succeeds. Calls during a run share it, and one after a failure tries again. */
export function untilSuccess<T>(job: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= job().catch((error) => {
      result = undefined;
      throw error;
    });
    return result;
  };
}
