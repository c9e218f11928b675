// The dates that a question asks about, and how close a capture is to them.
import { type CalendarDate, datesIn } from "./dates.ts";

const DAY_MS = 86_400_000;

const DAYS_FROM_TODAY: ReadonlyMap<string, number> = new Map([
  ["today", 0],
  ["tonight", 0],
  ["heute", 0],
  ["aujourd", 0],
  ["hoy", 0],
  ["oggi", 0],
  ["yesterday", -1],
  ["gestern", -1],
  ["ayer", -1],
  ["ieri", -1],
  ["tomorrow", 1],
  ["morgen", 1],
  ["demain", 1],
  ["manana", 1],
  ["domani", 1],
]);

/** The named dates, and the days that are counted from now. `words` are the tokenizer's. */
export function questionDates(query: string, words: readonly string[], now: Date): CalendarDate[] {
  const dates = datesIn(query);
  for (let i = 0; i < words.length; i++) dates.push(...relativeDates(words[i - 1], words[i] as string, now));
  return dates;
}

const NONE: readonly CalendarDate[] = [];

function relativeDates(previous: string | undefined, word: string, now: Date): readonly CalendarDate[] {
  const days = DAYS_FROM_TODAY.get(word);
  if (days !== undefined) return [dayAt(now, days)];
  const steps = previous === "last" ? -1 : previous === "next" ? 1 : previous === "this" ? 0 : undefined;
  if (steps === undefined) return NONE;
  if (word === "week") {
    const monday = 7 * steps - ((now.getUTCDay() + 6) % 7);
    return Array.from({ length: 7 }, (_, i) => dayAt(now, monday + i));
  }
  if (word === "month") {
    const then = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + steps));
    return [{ year: then.getUTCFullYear(), month: then.getUTCMonth() + 1 }];
  }
  return [];
}

function dayAt(now: Date, days: number): CalendarDate {
  const then = new Date(now.getTime() + days * DAY_MS);
  return { year: then.getUTCFullYear(), month: then.getUTCMonth() + 1, day: then.getUTCDate() };
}

/** How close a capture is to the nearest of the dates, from 0 to 1. People tell things a few days after they happened. */
export function closeness(dates: readonly CalendarDate[], capturedAt: number): number {
  return dates.reduce((best, date) => Math.max(best, closenessTo(date, capturedAt)), 0);
}

function closenessTo({ year, month, day }: CalendarDate, capturedAt: number): number {
  const captured = new Date(capturedAt);
  const capturedYear = captured.getUTCFullYear();
  if (year !== undefined && year !== capturedYear) return 0;
  const isSameMonth = captured.getUTCMonth() + 1 === month;
  if (day === undefined) return isSameMonth ? 1 : 0;
  const distance = Math.abs(capturedAt - Date.UTC(capturedYear, month - 1, day)) / DAY_MS;
  if (distance < 1.5) return 1;
  if (distance < 4) return 0.8;
  if (distance < 8) return 0.5;
  return isSameMonth ? 0.3 : 0;
}
