// Delays the answers of a local ledger, as finality does on Sui.

import { cancellation } from "#adapters/ledger/local/chain/failure.ts";
import type { LocalSui } from "#adapters/ledger/local/local-sui.ts";
import { untilAborted } from "#async/with-deadline.ts";

/**
 * Each executed transaction is answered after `ms`. A caller that sends the same transaction again waits until the same
 * moment as the first caller. Other calls are not delayed.
 */
export function withFinality(sui: LocalSui, ms: number): LocalSui {
  const finalAt = new Map<string, number>();
  const execute = sui.executeTransaction.bind(sui);

  async function isFinal(digest: string, signal: AbortSignal | undefined): Promise<void> {
    const now = performance.now();
    const at = finalAt.get(digest) ?? now + ms;
    finalAt.set(digest, at);
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
  }

  sui.executeTransaction = async (options) => {
    const result = await execute(options);
    await isFinal((result.Transaction ?? result.FailedTransaction).digest, options.signal);
    return result;
  };
  return sui;
}
