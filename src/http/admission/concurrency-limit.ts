// The control law of admission: how many requests may be in flight, by the delay of the event loop and by how much of the
// time it is busy. Additive increase, multiplicative decrease: the limit grows while it is what holds requests back and the
// loop is quick, and shrinks when the loop is slow, or never idle: then more in flight are not served sooner, each only
// takes more turns. Until it shrinks for the first time it doubles instead (slow start). When nothing holds requests
// back, a limit that has shrunk comes back to where it began. Requests that compute make the loop slow, so few of them
// are in flight; requests that wait for a model elsewhere do not, so there may be many.

interface Aim {
  /** The limit never shrinks below this. */
  readonly least: number;
  readonly targetMs: number;
  /** How long requests may begin in one turn of the event loop, and for how long while several tenants are served. */
  readonly turnMs: number;
  readonly sharedTurnMs: number;
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

/** What the event loop did since the last one. */
export interface LoopSample {
  readonly delayMs: number;
  /** The share of the time in which it ran something. */
  readonly utilization: number;
}

export interface Observation extends LoopSample {
  /** Requests were held back since the last observation. */
  readonly wasReached: boolean;
  readonly isOverloaded: boolean;
}

const OPTIONS: ConcurrencyLimitOptions = {
  calm: { least: 32, targetMs: 5, turnMs: 50, sharedTurnMs: 2 },
  overloaded: { least: 2, targetMs: 2, turnMs: 1, sharedTurnMs: 0 },
  initial: 64,
  most: 1_024,
  increase: 4,
  decrease: 0.7,
};

/** A loop that idles less has no time left for more requests. */
const BUSY = 0.95;

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;

export function createConcurrencyLimit(options: Partial<ConcurrencyLimitOptions> = {}) {
  const { calm, overloaded, initial, most, increase, decrease } = { ...OPTIONS, ...options };
  let limit = initial;
  let isStarting = true;

  return {
    get value(): number {
      return Math.floor(limit);
    },
    turnMs(isOverloaded: boolean, isShared: boolean): number {
      const aim = isOverloaded ? overloaded : calm;
      return isShared ? aim.sharedTurnMs : aim.turnMs;
    },
    observe({ delayMs, utilization, wasReached, isOverloaded }: Observation): void {
      const { least, targetMs } = isOverloaded ? overloaded : calm;
      if (delayMs > targetMs || utilization > BUSY) {
        limit *= decrease;
        isStarting = false;
      } else if (wasReached || limit < initial) limit += isStarting ? limit : increase;
      limit = Math.min(most, Math.max(least, limit));
    },
    /** Whether requests that have been in flight for a while are not what keeps the loop busy. */
    isQuick: ({ delayMs, utilization }: LoopSample): boolean => delayMs <= calm.targetMs && utilization <= BUSY,
    /** Whether there is nothing to recover from. */
    isRested: (): boolean => limit >= initial,
  };
}
