/** Work under way, for whoever has to wait for its end. */
export function trackWork() {
  const running = new Set<Promise<unknown>>();
  return {
    track<T>(work: Promise<T>): Promise<T> {
      running.add(work);
      const end = () => void running.delete(work);
      work.then(end, end);
      return work;
    },
    /** The end of some work may be the beginning of other. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
