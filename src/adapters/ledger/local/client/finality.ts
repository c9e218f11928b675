import type { Executed } from "#adapters/ledger/local/execution/effects.ts";
import { cancellation } from "#adapters/ledger/local/execution/failure.ts";
import { untilAborted } from "#async/with-deadline.ts";

/**
 * Delays the answer of an executed transaction, as finality does on Sui. A caller that sends the same transaction again
 * waits until the same moment as the first caller.
 */
export function createFinality(ms: number) {
  const finalAt = new WeakMap<Executed, number>();

  return async (executed: Executed, signal: AbortSignal | undefined): Promise<void> => {
    const now = performance.now();
    const at = finalAt.get(executed) ?? now + ms;
    finalAt.set(executed, at);
    if (at <= now) return;
    const { promise: final, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, at - now);
    try {
      await (signal === undefined ? final : untilAborted(signal, final));
    } catch (error) {
      throw signal?.aborted ? cancellation(signal) : error;
    } finally {
      clearTimeout(timer);
    }
  };
}
