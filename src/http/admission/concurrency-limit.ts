// The control law of admission: how many requests may be in flight, by the delay of the event loop. Additive increase,
// multiplicative decrease: the limit grows while it is what holds requests back and the loop is quick, and shrinks when
// the loop is slow. Requests that compute make the loop slow, so few of them are in flight; requests that wait for a
// model elsewhere do not, so there may be many.

export interface ConcurrencyLimitOptions {
  readonly initial: number;
  /** Group commit needs some requests at a time, so fewer would only make the service slower. */
  readonly least: number;
  readonly most: number;
  /** The delay of the event loop that is aimed at. */
  readonly targetMs: number;
  /** What the limit grows by, for each observation. */
  readonly increase: number;
  /** What the limit shrinks to, for each observation. */
  readonly decrease: number;
}

const OPTIONS: ConcurrencyLimitOptions = {
  initial: 64,
  least: 8,
  most: 1_024,
  targetMs: 5,
  increase: 4,
  decrease: 0.8,
};

export function createConcurrencyLimit(options: Partial<ConcurrencyLimitOptions> = {}) {
  const { initial, least, most, targetMs, increase, decrease } = { ...OPTIONS, ...options };
  let limit = initial;

  return {
    get value(): number {
      return Math.floor(limit);
    },
    /** `wasReached`: requests were held back by the limit since the last observation. */
    observe(delayMs: number, { wasReached }: { wasReached: boolean }): void {
      if (delayMs > targetMs) limit = Math.max(least, limit * decrease);
      else if (wasReached) limit = Math.min(most, limit + increase);
    },
    isQuick: (delayMs: number): boolean => delayMs <= targetMs,
  };
}
