// Quotas counted in this process alone.
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import type { Allowance, Quota, QuotaCounters } from "#ports.ts";

const MAX_CALLERS = 50_000;

/** When there are too many callers, the one whose window began first is forgotten, and begins a new window. */
export function memoryQuotas({ maxCallers = MAX_CALLERS } = {}): QuotaCounters {
  const counters = new Map<string, ReturnType<typeof countersOf>>();

  function countersOf({ seconds }: Quota) {
    // How many points a caller has is asked each time: quotas of one name may differ.
    const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: seconds });
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

    return async (points: number, caller: string): Promise<Allowance> => {
      const { consumedPoints, msBeforeNext, isFirstInDuration } = await limiter.consume(caller);
      if (isFirstInDuration) remember(caller);
      const remaining = Math.max(0, points - consumedPoints);
      return { isGranted: consumedPoints <= points, remaining, resetMs: msBeforeNext };
    };
  }

  return { take: (quota, caller) => getOrInsert(counters, quota.name, () => countersOf(quota))(quota.points, caller) };
}

/** The library rejects with a result when no points are left, and with an error when something went wrong. */
export function refusalOf(refusal: unknown): RateLimiterRes {
  if (refusal instanceof RateLimiterRes) return refusal;
  throw refusal;
}
