// The control law of admission: how many requests may be in flight, by the delay of the event loop. Additive increase,
// multiplicative decrease: the limit grows while it is what holds requests back and the loop is quick, and shrinks when
// the loop is slow. Until it shrinks for the first time it doubles instead (slow start). When nothing holds requests
// back, a limit that has shrunk comes back to where it began. Requests that compute make the loop slow, so few of them
// are in flight; requests that wait for a model elsewhere do not, so there may be many.

interface Aim {
  /** The limit never shrinks below this. */
  readonly least: number;
  readonly targetMs: number;
}

export interface ConcurrencyLimitOptions {
  /** Throughput: a group commit serves more requests when more are in flight. */
  readonly calm: Aim;
  /** Latency: some are refused anyhow, and who is admitted is served quickly. So is a revoke. */
  readonly overloaded: Aim;
  readonly initial: number;
  readonly most: number;
  /** What the limit grows by, for each observation. */
  readonly increase: number;
  /** The share that is left of the limit when it shrinks. */
  readonly decrease: number;
}

export interface Observation {
  readonly delayMs: number;
  /** Requests were held back since the last observation. */
  readonly wasReached: boolean;
  readonly isOverloaded: boolean;
}

const OPTIONS: ConcurrencyLimitOptions = {
  calm: { least: 32, targetMs: 5 },
  overloaded: { least: 2, targetMs: 2 },
  initial: 64,
  most: 1_024,
  increase: 4,
  decrease: 0.7,
};

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;

export function createConcurrencyLimit(options: Partial<ConcurrencyLimitOptions> = {}) {
  const { calm, overloaded, initial, most, increase, decrease } = { ...OPTIONS, ...options };
  let limit = initial;
  let isStarting = true;

  return {
    get value(): number {
      return Math.floor(limit);
    },
    observe({ delayMs, wasReached, isOverloaded }: Observation): void {
      const { least, targetMs } = isOverloaded ? overloaded : calm;
      if (delayMs > targetMs) {
        limit *= decrease;
        isStarting = false;
      } else if (wasReached || limit < initial) limit += isStarting ? limit : increase;
      limit = Math.min(most, Math.max(least, limit));
    },
    /** Whether requests that have been in flight for a while are not what keeps the loop busy. */
    isQuick: (delayMs: number): boolean => delayMs <= calm.targetMs,
    /** Whether there is nothing to recover from. */
    isRested: (): boolean => limit >= initial,
  };
}
