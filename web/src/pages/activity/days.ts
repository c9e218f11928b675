// The timeline by day, in the reader's time zone.

/** Entries come newest first, and stay so. The date is midnight of the day. */
export function byDay<T extends { readonly at: string }>(entries: readonly T[]) {
  const days = Map.groupBy(entries, ({ at }) => new Date(at).setHours(0, 0, 0, 0));
  return [...days].map(([midnight, own]) => ({ date: new Date(midnight), entries: own }));
}

const DAY = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });

export function dayName(date: Date, now = new Date()): string {
  const daysAgo = Math.round((new Date(now).setHours(0, 0, 0, 0) - date.getTime()) / 86_400_000);
  if (daysAgo === 0) return "Today";
  return daysAgo === 1 ? "Yesterday" : DAY.format(date);
}
