// The fence of one process: acts share it, and a change of the policy has it alone. Whoever comes waits for what came
// before, and for nothing that came later: no stream of acts can hold a revoke up, and no stream of changes the acts.

export interface Fence {
  /** Runs `act` together with others. */
  share<T>(act: () => T | Promise<T>): Promise<T>;
  /** Runs `change` when every act before it has ended, and lets none begin meanwhile. */
  alone<T>(change: () => Promise<T>): Promise<T>;
}

export function createFence(): Fence {
  let lastChange: Promise<unknown> = Promise.resolve();
  /** The acts that came after the last change. */
  let acts = new Set<Promise<unknown>>();

  return {
    share(act) {
      const mine = lastChange.then(act);
      const [ended, among] = [settled(mine), acts];
      among.add(ended);
      void ended.then(() => among.delete(ended));
      return mine;
    },
    alone(change) {
      const before = [lastChange, ...acts];
      acts = new Set();
      const mine = Promise.all(before).then(change);
      lastChange = settled(mine);
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
