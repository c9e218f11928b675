import { invalidFields } from "#core/errors.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DEFAULT_DAYS = 28;
const MOST_DAYS = 366;

interface Wanted {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Answers are counted by the hour, so that the range has whole hours, in UTC. */
export interface ReportRange {
  readonly from: string;
  readonly to: string;
}

export function rangeOf({ from, to }: Wanted, now: number): ReportRange {
  const end = to === undefined ? now : Date.parse(to);
  const start = from === undefined ? end - DEFAULT_DAYS * DAY_MS : Date.parse(from);
  if (start >= end) throw invalidFields({ parameter: "from", detail: "must be before `to`" });
  if (end - start > MOST_DAYS * DAY_MS)
    throw invalidFields({ parameter: "from", detail: `must be at most ${MOST_DAYS} days before \`to\`` });
  const iso = (ms: number) => new Date(ms).toISOString();
  return { from: iso(Math.floor(start / HOUR_MS) * HOUR_MS), to: iso(Math.ceil(end / HOUR_MS) * HOUR_MS) };
}
