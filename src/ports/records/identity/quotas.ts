// Quotas: how often a caller may do something in a window of time.

export interface Quota {
  /** Tells the counters of one quota from those of another. Short, and one of a few. */
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

export interface Allowance {
  readonly isGranted: boolean;
  /** How many points are left, as far as this process knows. */
  readonly remaining: number;
  /** Milliseconds until the window ends and all points are there again. */
  readonly resetMs: number;
}

/**
 * Counts what each caller uses of a quota, in fixed windows, in all processes that share the records. Never rejects:
 * while the store is slow or down, each process counts for itself. Nothing of it survives a crash.
 */
export interface QuotaCounters {
  /** Takes one point of the caller's quota, if there is one left. */
  take(quota: Quota, caller: string): Promise<Allowance>;
}
