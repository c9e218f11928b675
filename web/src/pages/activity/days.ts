// The timeline by day, in the reader's time zone.

export interface Day<T> {
  /** Midnight of it, for a heading. */
  readonly date: Date;
  readonly entries: readonly T[];
}

/** Entries come newest first, and stay so. */
export function byDay<T extends { readonly at: string }>(entries: readonly T[]): Day<T>[] {
  const days: { date: Date; entries: T[] }[] = [];
  for (const entry of entries) {
    const date = new Date(new Date(entry.at).setHours(0, 0, 0, 0));
    const last = days.at(-1);
    if (last?.date.getTime() === date.getTime()) last.entries.push(entry);
    else days.push({ date, entries: [entry] });
  }
  return days;
}

const DAY = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });

export function dayName(date: Date, now = new Date()): string {
  const daysAgo = Math.round((new Date(now).setHours(0, 0, 0, 0) - date.getTime()) / 86_400_000);
  if (daysAgo === 0) return "Today";
  return daysAgo === 1 ? "Yesterday" : DAY.format(date);
}
