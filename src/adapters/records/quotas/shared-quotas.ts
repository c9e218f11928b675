// Quotas counted in PostgreSQL, for all processes together, which never hand out more. A process reserves points in
// batches and hands them out itself, and reserves the next in the background, so that most requests cost no statement;
// nor does a caller whose points are used up. What is reserved and not handed out is lost: at most a batch and a half
// for each process.
import type { Pool } from "pg";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import { withDeadline } from "#async/with-deadline.ts";
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import type { Quota, QuotaCounters } from "#ports.ts";
import { memoryQuotas, refusalOf } from "./memory-quotas.ts";

interface Options {
  /** Small, and used for nothing else: limits never wait for ordinary statements, nor these for limits. */
  readonly pool: Pool;
  readonly now?: () => number;
  readonly deadlineMs?: number;
}

const TABLE = "rate_limits";
/** A batch is this share of a quota. */
const BATCHES = 20;
const DEADLINE_MS = 1_000;
/** How long the database is left alone after it did not answer. */
const PAUSE_MS = 5_000;
const CLEANUP_MS = 60_000;
const MAX_CALLERS = 50_000;
/** Ends of windows that differ by less are the same one. */
const SAME_WINDOW_MS = 1_000;

/** Points that this process may hand out to one caller until the window ends. */
interface Reserve {
  points: number;
  /** Points of the window that nobody has reserved, when we last looked. */
  unreserved: number;
  endsAt: number;
  /** A batch on its way. Resolves to false when the database did not answer. */
  pending?: Promise<boolean> | undefined;
}

export function sharedQuotas({ pool, now = Date.now, deadlineMs = DEADLINE_MS }: Options): QuotaCounters {
  const fallback = memoryQuotas();
  const limiters = new Map<string, RateLimiterPostgres>();
  const reserves = new Map<string, Reserve>();
  let pausedUntil = 0;
  let cleanedAt = now();

  function limiterOf({ name: keyPrefix, points, seconds: duration }: Quota): RateLimiterPostgres {
    const options = { storeClient: pool, storeType: "pool", tableName: TABLE, tableCreated: true };
    const own = { keyPrefix, points, duration, clearExpiredByTimeout: false };
    return getOrInsert(limiters, keyPrefix, () => new RateLimiterPostgres({ ...options, ...own }));
  }

  function reserveOf(quota: Quota, caller: string): Reserve {
    const id = `${quota.name} ${caller}`;
    const known = reserves.get(id);
    if (known !== undefined && (known.endsAt > now() || known.pending !== undefined)) return known;
    const reserve: Reserve = { points: 0, unreserved: quota.points, endsAt: now() + quota.seconds * 1_000 };
    reserves.delete(id);
    reserves.set(id, reserve);
    const [first] = reserves.keys();
    if (reserves.size > MAX_CALLERS && first !== undefined) reserves.delete(first);
    return reserve;
  }

  /** Reserves the next batch, or what is left of the quota. Single-flight: callers share the batch on its way. */
  function refill(reserve: Reserve, quota: Quota, caller: string): Promise<boolean> {
    reserve.pending ??= requestBatch(reserve, quota, caller).finally(() => {
      reserve.pending = undefined;
    });
    return reserve.pending;
  }

  async function requestBatch(reserve: Reserve, quota: Quota, caller: string): Promise<boolean> {
    if (now() < pausedUntil) return false;
    const limiter = limiterOf(quota);
    cleanUp();
    const batch = batchOf(quota);
    try {
      const consume = () => limiter.consume(caller, batch).catch(refusalOf);
      const { consumedPoints, msBeforeNext } = await withDeadline(deadlineMs, consume);
      const before = consumedPoints - batch;
      const endsAt = now() + msBeforeNext;
      // Points of a window that has ended are worth nothing in the next.
      if (endsAt - reserve.endsAt > SAME_WINDOW_MS) reserve.points = 0;
      reserve.points += Math.min(batch, Math.max(0, quota.points - before));
      reserve.unreserved = Math.max(0, quota.points - consumedPoints);
      reserve.endsAt = endsAt;
      return true;
    } catch {
      pausedUntil = now() + PAUSE_MS;
      return false;
    }
  }

  function cleanUp(): void {
    if (now() - cleanedAt < CLEANUP_MS) return;
    cleanedAt = now();
    pool.query(`DELETE FROM ${TABLE} WHERE expire < $1`, [now()]).catch(() => undefined);
  }

  return {
    async take(quota, caller) {
      const reserve = reserveOf(quota, caller);
      while (reserve.points === 0 && reserve.unreserved > 0) {
        if (!(await refill(reserve, quota, caller))) return fallback.take(quota, caller);
      }
      const isGranted = reserve.points > 0;
      if (isGranted) reserve.points -= 1;
      if (reserve.points < batchOf(quota) / 2 && reserve.unreserved > 0) void refill(reserve, quota, caller);
      const { points, unreserved, endsAt } = reserve;
      return { isGranted, remaining: points + unreserved, resetMs: Math.max(0, endsAt - now()) };
    },
  };
}

const batchOf = ({ points }: Quota): number => Math.ceil(points / BATCHES);
