/**
 * Runs `read` one at a time. A call made while it runs waits for the next run, which all such calls share: each caller
 * gets a run that began after it asked, and so sees all that was on record by then.
 */
export function sharedRead(read: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  return () => {
    next ??= last
      .catch(() => undefined)
      .then(() => {
        last = next as Promise<void>;
        next = undefined;
        return read();
      });
    return next;
  };
}
