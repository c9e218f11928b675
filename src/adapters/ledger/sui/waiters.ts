import type { ChainAnchor } from "../../../ports.ts";

/** Those who wait for the outcome of a request, by its number. Several may wait for one. */
export function createWaiters() {
  const waiting = new Map<number, PromiseWithResolvers<ChainAnchor>>();

  function take(id: number): PromiseWithResolvers<ChainAnchor> | undefined {
    const found = waiting.get(id);
    waiting.delete(id);
    return found;
  }

  return {
    get size(): number {
      return waiting.size;
    },
    ids: (): number[] => [...waiting.keys()],
    add(id: number): Promise<ChainAnchor> {
      const found = waiting.get(id) ?? Promise.withResolvers<ChainAnchor>();
      waiting.set(id, found);
      return found.promise;
    },
    resolve(id: number, anchor: ChainAnchor): void {
      take(id)?.resolve(anchor);
    },
    reject(id: number, error: unknown): void {
      take(id)?.reject(error);
    },
    rejectAll(error: unknown): void {
      for (const id of [...waiting.keys()]) take(id)?.reject(error);
    },
  };
}
