// Readers-writer lock: shared jobs run together, an exclusive job runs alone. It is fair: a job waits for those that came
// before it and for none that came later, so neither kind can starve the other.

/** The shared jobs between two exclusive ones. */
interface SharedGroup {
  /** How many of them have not ended. */
  open: number;
  /** Set by the exclusive job that comes after the group. */
  onEnd?: () => void;
}

export function createReadersWriterLock() {
  let group: SharedGroup = { open: 0 };
  /** Undefined when none has to be waited for. Then a shared job begins at once. */
  let lastExclusive: Promise<unknown> | undefined;

  return {
    async shared<T>(job: () => T | Promise<T>): Promise<T> {
      const mine = group;
      mine.open += 1;
      try {
        if (lastExclusive !== undefined) await lastExclusive;
        return await job();
      } finally {
        mine.open -= 1;
        if (mine.open === 0) mine.onEnd?.();
      }
    },
    exclusive<T>(job: () => Promise<T>): Promise<T> {
      const mine = Promise.all([lastExclusive, endOf(group)]).then(() => job());
      group = { open: 0 };
      const ended = mine
        .catch(() => undefined)
        .then(() => {
          if (lastExclusive === ended) lastExclusive = undefined;
        });
      lastExclusive = ended;
      return mine;
    },
  };
}

async function endOf(group: SharedGroup): Promise<void> {
  if (group.open === 0) return;
  await new Promise<void>((resolve) => {
    group.onEnd = resolve;
  });
}
