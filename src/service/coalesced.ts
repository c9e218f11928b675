/**
 * Runs `job` one at a time. A call made while it runs waits for the next run, which all such calls share: each caller
 * gets a run that began after it asked.
 */
export function coalesced(job: () => Promise<void>): () => Promise<void> {
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
