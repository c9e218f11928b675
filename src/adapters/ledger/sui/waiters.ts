import type { ChainAnchor } from "#ports.ts";

interface Waiting extends PromiseWithResolvers<ChainAnchor> {
  readonly since: number;
}

export type Waiters = ReturnType<typeof createWaiters>;

/** Those who wait for the outcome of a request, by its number. Several may wait for one. */
export function createWaiters() {
  const waiting = new Map<number, Waiting>();

  function take(id: number): Waiting | undefined {
    const found = waiting.get(id);
    waiting.delete(id);
    return found;
  }

  function reject(id: number, error: unknown): void {
    take(id)?.reject(error);
  }

  return {
    get size(): number {
      return waiting.size;
    },
    ids: (): number[] => [...waiting.keys()],
    add(id: number): Promise<ChainAnchor> {
      const found = waiting.get(id) ?? { ...Promise.withResolvers<ChainAnchor>(), since: performance.now() };
      waiting.set(id, found);
      return found.promise;
    },
    resolve(id: number, anchor: ChainAnchor): void {
      take(id)?.resolve(anchor);
    },
    reject,
    rejectAll(error: unknown): void {
      for (const id of [...waiting.keys()]) reject(id, error);
    },
    /** Rejects those who have waited for longer than this. */
    rejectAfter(ms: number, error: unknown): void {
      const late = performance.now() - ms;
      for (const [id, { since }] of [...waiting]) if (since < late) reject(id, error);
    },
  };
}
