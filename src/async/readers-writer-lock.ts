// Readers-writer lock: shared jobs run together, an exclusive job runs alone. It is fair: a job waits for those that came
// before it and for none that came later, so neither kind can starve the other.

export interface ReadersWriterLock {
  shared<T>(job: () => T | Promise<T>): Promise<T>;
  exclusive<T>(job: () => Promise<T>): Promise<T>;
}

export function createReadersWriterLock(): ReadersWriterLock {
  let lastExclusive: Promise<unknown> = Promise.resolve();
  /** The shared jobs that came after the last exclusive one. */
  let sharing = new Set<Promise<unknown>>();

  return {
    shared(job) {
      const mine = lastExclusive.then(job);
      const [ended, among] = [settled(mine), sharing];
      among.add(ended);
      void ended.then(() => among.delete(ended));
      return mine;
    },
    exclusive(job) {
      const before = [lastExclusive, ...sharing];
      sharing = new Set();
      const mine = Promise.all(before).then(job);
      lastExclusive = settled(mine);
      return mine;
    },
  };
}

function settled(promise: Promise<unknown>): Promise<undefined> {
  return promise.then(
    () => undefined,
    () => undefined,
  );
}
