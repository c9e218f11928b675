// Dates that a text mentions: weekdays, months and days of a month, in five languages. There is no clock here, so
// "tomorrow" and "next week" stay what they are.
import { datesIn as calendarDatesIn, isMonthName, weekdayOf } from "#core/text/dates.ts";
import { wordSet } from "#core/text/words.ts";
import lists from "./words.json" with { type: "json" };

export interface Dates {
  /** 0 is Sunday. */
  readonly weekdays: readonly number[];
  /** The weekdays that "weekend" and "weekdays" stand for. */
  readonly impliedWeekdays: readonly number[];
  /** 1 to 12. */
  readonly months: readonly number[];
  /** Month times 100 plus day, so that they sort by time. */
  readonly days: readonly number[];
}

export const NO_DATES: Dates = { weekdays: [], impliedWeekdays: [], months: [], days: [] };

const SHORT_WEEKDAYS: ReadonlyMap<string, number> = new Map(
  Object.entries({ tue: 2, tues: 2, wed: 3, thu: 4, thurs: 4, fri: 5, sonnabend: 6 }),
);
const RELATIVE = wordSet(lists.dates.relative);
const WEEKEND = wordSet("weekend weekends wochenende wochenenden");
const WORKDAYS = wordSet(lists.dates.workdays);

export function datesIn(text: string, words: readonly string[]): Dates {
  const named = calendarDatesIn(text);
  return {
    weekdays: words.flatMap((word) => dayOfWeek(word) ?? []),
    impliedWeekdays: words.flatMap((word) => (WEEKEND.has(word) ? [6, 0] : WORKDAYS.has(word) ? [1, 2, 3, 4, 5] : [])),
    months: named.map(({ month }) => month),
    days: named.flatMap(({ month, day }) => (day === undefined ? [] : month * 100 + day)),
  };
}

const dayOfWeek = (word: string): number | undefined => weekdayOf(word) ?? SHORT_WEEKDAYS.get(word);

/** Whether a word is about time relative to now, which needs a clock. */
export const isRelative = (word: string): boolean => RELATIVE.has(word);

export const isDateWord = (word: string): boolean =>
  dayOfWeek(word) !== undefined || isMonthName(word) || WEEKEND.has(word) || WORKDAYS.has(word) || RELATIVE.has(word);

export const hasDates = ({ weekdays, impliedWeekdays, months }: Dates): boolean =>
  weekdays.length + impliedWeekdays.length + months.length > 0;

/** How well a text's dates answer a question's: 0 for not at all. */
export function dateMatch(asked: Dates, noted: Dates): number {
  let score = 0;
  for (const weekday of asked.weekdays) {
    if (noted.weekdays.includes(weekday)) score += 1.5;
    else if (noted.impliedWeekdays.includes(weekday)) score += 0.4;
  }
  for (const weekday of asked.impliedWeekdays.slice(0, 1)) {
    if (noted.impliedWeekdays.includes(weekday)) score += 1.5;
  }
  for (const day of asked.days) if (noted.days.includes(day)) score += 2;
  if (asked.days.length > 0) return score;
  for (const month of asked.months) if (noted.months.includes(month)) score += 1.5;
  return score;
}

export function datesConflict(asked: Dates, noted: Dates): boolean {
  if (dateMatch(asked, noted) > 0) return false;
  const isOtherWeekday = asked.weekdays.length > 0 && noted.weekdays.length > 0;
  return isOtherWeekday || (asked.months.length > 0 && noted.months.length > 0);
}
