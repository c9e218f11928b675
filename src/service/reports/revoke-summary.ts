// How long revokes took from their arrival until they were in force.
import type { Deps } from "#service/deps.ts";
import type { ReportRange } from "./report-range.ts";

/** How many revokes are looked at, newest first. */
const MOST = 10_000;

export interface RevokeSummary {
  readonly count: number;
  /** Absent when there was none. By the nearest-rank method. */
  readonly medianMs?: number;
  readonly p95Ms?: number;
  readonly maxMs?: number;
  /** False: there were more. */
  readonly isComplete: boolean;
}

export async function revokeSummary({ records }: Pick<Deps, "records">, range: ReportRange): Promise<RevokeSummary> {
  const newest = await records.reports.revokeTimes({ ...range, limit: MOST + 1 });
  const times = newest.slice(0, MOST).sort((a, b) => a - b);
  const isComplete = newest.length <= MOST;
  const rank = (share: number) => times[Math.max(0, Math.ceil(share * times.length) - 1)];
  const [medianMs, p95Ms, maxMs] = [rank(0.5), rank(0.95), times.at(-1)];
  if (medianMs === undefined || p95Ms === undefined || maxMs === undefined) return { count: 0, isComplete };
  return { count: times.length, medianMs, p95Ms, maxMs, isComplete };
}
