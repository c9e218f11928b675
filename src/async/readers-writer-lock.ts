// Readers-writer lock: shared jobs run together, an exclusive job runs alone. It is fair: a job waits for those that came
// before it and for none that came later, so neither kind can starve the other.

export function createReadersWriterLock() {
  let lastExclusive: Promise<unknown> = Promise.resolve();
  /** The shared jobs that came after the last exclusive one. */
  let sharing = new Set<Promise<unknown>>();

  return {
    shared<T>(job: () => T | Promise<T>): Promise<T> {
      const mine = lastExclusive.then(() => job());
      const [ended, among] = [settled(mine), sharing];
      among.add(ended);
      void ended.then(() => among.delete(ended));
      return mine;
    },
    exclusive<T>(job: () => Promise<T>): Promise<T> {
      const mine = Promise.all([lastExclusive, ...sharing]).then(() => job());
      sharing = new Set();
      lastExclusive = settled(mine);
      return mine;
    },
  };
}

const settled = (job: Promise<unknown>): Promise<unknown> => job.catch(() => undefined);
