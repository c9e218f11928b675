// Readers-writer lock: shared jobs run together, an exclusive job runs alone. It is fair: a job waits for those that
// came before it and for none that came later. When an exclusive job has waited for `graceMs`, the signal of the shared
// jobs aborts, and they must end.

interface SharedGroup {
  open: number;
  /** Set by the exclusive job that comes after the group. */
  onEnd?: () => void;
  readonly awaited: AbortController;
}

interface LockOptions {
  readonly graceMs: number;
  /** Makes the reason of the signal. */
  readonly onAwaited: () => unknown;
}

export function createReadersWriterLock({ graceMs, onAwaited }: LockOptions) {
  let group = newGroup();
  /** Undefined when none has to be waited for. Then a shared job begins at once. */
  let lastExclusive: Promise<unknown> | undefined;

  async function endOf(waitedFor: SharedGroup): Promise<void> {
    await lastExclusive;
    if (waitedFor.open === 0) return;
    // From here on the jobs of the group run.
    const timer = setTimeout(() => waitedFor.awaited.abort(onAwaited()), graceMs);
    await new Promise<void>((resolve) => {
      waitedFor.onEnd = resolve;
    });
    clearTimeout(timer);
  }

  return {
    async shared<T>(job: (awaited: AbortSignal) => T | Promise<T>): Promise<T> {
      const mine = group;
      mine.open += 1;
      try {
        if (lastExclusive !== undefined) await lastExclusive;
        return await job(mine.awaited.signal);
      } finally {
        mine.open -= 1;
        if (mine.open === 0) mine.onEnd?.();
      }
    },
    exclusive<T>(job: () => Promise<T>): Promise<T> {
      const mine = endOf(group).then(() => job());
      group = newGroup();
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

const newGroup = (): SharedGroup => ({ open: 0, awaited: new AbortController() });
