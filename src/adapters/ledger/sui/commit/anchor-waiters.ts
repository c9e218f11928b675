// The callers that wait for an anchor: one promise for each request id. Several callers may wait for the same request.
import type { ChainAnchor, PendingChainAnchor, RecordStore } from "#ports.ts";
import { refusedError } from "./transaction-outcome.ts";

interface Waiter extends PromiseWithResolvers<ChainAnchor> {
  readonly since: number;
}

export type AnchorWaiters = ReturnType<typeof createAnchorWaiters>;

export function createAnchorWaiters() {
  const waiters = new Map<number, Waiter>();

  function remove(id: number): Waiter | undefined {
    const waiter = waiters.get(id);
    waiters.delete(id);
    return waiter;
  }

  function reject(id: number, error: unknown): void {
    remove(id)?.reject(error);
  }

  return {
    get size(): number {
      return waiters.size;
    },
    ids: (): number[] => [...waiters.keys()],
    add(id: number): Promise<ChainAnchor> {
      const waiter = waiters.get(id) ?? { ...Promise.withResolvers<ChainAnchor>(), since: performance.now() };
      waiters.set(id, waiter);
      return waiter.promise;
    },
    resolve(id: number, anchor: ChainAnchor): void {
      remove(id)?.resolve(anchor);
    },
    reject,
    rejectAll(error: unknown): void {
      for (const id of [...waiters.keys()]) reject(id, error);
    },
    /** Rejects those that have waited for longer than `ms`. */
    rejectAfter(ms: number, error: unknown): void {
      const deadline = performance.now() - ms;
      for (const [id, { since }] of [...waiters]) if (since < deadline) reject(id, error);
    },
  };
}

/** Answers the waiters whose requests are finished, in whichever process. Returns the requests that are pending. */
export async function answerFinished(
  records: Pick<RecordStore, "chainAnchors">,
  waiters: AnchorWaiters,
): Promise<readonly PendingChainAnchor[]> {
  // The ids are taken before the records are read: all of them are on record by now.
  const ids = waiters.ids();
  const pending = await records.chainAnchors.pending();
  const pendingIds = new Set(pending.map(({ id }) => id));
  for (const id of ids.filter((each) => !pendingIds.has(each))) {
    const anchor = await records.chainAnchors.outcomeOf(id);
    if (anchor === undefined) waiters.reject(id, refusedError(undefined));
    else waiters.resolve(id, anchor);
  }
  return pending;
}
