/** Runs jobs, at most `limit` at a time; the others wait their turn, first come first served. */
export function atMost(limit: number): <T>(job: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (job) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await job();
    } finally {
      // Whoever waits longest takes over the place.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
