// Quotas counted in this process alone.
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Allowance, Quota, QuotaCounters } from "#ports.ts";

const MAX_CALLERS = 50_000;

/** When there are too many callers, the one whose window began first is forgotten, and begins a new window. */
export function memoryQuotas({ maxCallers = MAX_CALLERS } = {}): QuotaCounters {
  const counters = new Map<string, ReturnType<typeof countersOf>>();

  function countersOf({ points, seconds }: Quota) {
    const limiter = new RateLimiterMemory({ points, duration: seconds });
    // In the order in which their windows began.
    const callers = new Set<string>();

    function remember(caller: string): void {
      callers.delete(caller);
      callers.add(caller);
      const [first] = callers;
      if (callers.size <= maxCallers || first === undefined) return;
      callers.delete(first);
      void limiter.delete(first);
    }

    return async (caller: string): Promise<Allowance> => {
      const { isGranted, result } = await limiter.consume(caller).then(
        (result) => ({ isGranted: true, result }),
        (refusal: unknown) => ({ isGranted: false, result: refusalOf(refusal) }),
      );
      if (result.isFirstInDuration) remember(caller);
      return { isGranted, remaining: result.remainingPoints, resetMs: result.msBeforeNext };
    };
  }

  return {
    take(quota, caller) {
      const take = counters.get(quota.name) ?? countersOf(quota);
      counters.set(quota.name, take);
      return take(caller);
    },
  };
}

/** The library rejects with a result when no points are left, and with an error when something went wrong. */
export function refusalOf(refusal: unknown): RateLimiterRes {
  if (refusal instanceof RateLimiterRes) return refusal;
  throw refusal;
}
