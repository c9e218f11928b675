const DAY_MS = 86_400_000;

/** The Monday, `2026-01-05`, of the week in which a time is, in UTC. */
export function mondayOf(time: string): string {
  const ms = Date.parse(time);
  const sinceMonday = (new Date(ms).getUTCDay() + 6) % 7;
  return dateOf(ms - sinceMonday * DAY_MS);
}

/** The Mondays of all weeks that a range touches, oldest first. `to` is exclusive. */
export function weeksBetween(from: string, to: string): string[] {
  const [first, end] = [Date.parse(mondayOf(from)), Date.parse(to)];
  const count = Math.max(0, Math.ceil((end - first) / (7 * DAY_MS)));
  return Array.from({ length: count }, (_, i) => dateOf(first + i * 7 * DAY_MS));
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
