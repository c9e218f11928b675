// Dates that a text mentions: weekdays, months and days of a month, in five languages. Of a question the day is known, and
// with it "tomorrow" and "next week".
import { type CalendarDate, dayAt, isMonthName, questionDates, weekdayOf } from "#core/text/dates.ts";
import { wordSet } from "#core/text/words.ts";
import lists from "./words.json" with { type: "json" };

export interface Dates {
  /** 0 is Sunday. */
  readonly weekdays: readonly number[];
  /** The weekdays that "weekend" and "weekdays" stand for. */
  readonly impliedWeekdays: readonly number[];
  /** 1 to 12, plus 100 times the year if it is known. */
  readonly months: readonly number[];
  /** 100 times the month, plus the day. */
  readonly days: readonly number[];
  /** Not of a text: the day of a note, which may have been told on it. */
  readonly areOwn?: true;
}

export const NO_DATES: Dates = { weekdays: [], impliedWeekdays: [], months: [], days: [] };

const SHORT_WEEKDAYS: ReadonlyMap<string, number> = new Map(
  Object.entries({ tue: 2, tues: 2, wed: 3, thu: 4, thurs: 4, fri: 5, sonnabend: 6 }),
);
const RELATIVE = wordSet(lists.dates.relative);
const WEEKEND = wordSet("weekend weekends wochenende wochenenden");
const WORKDAYS = wordSet(lists.dates.workdays);

/** `today`: of a question. The weekdays of days to come are its weekdays, too. */
export function datesIn(text: string, words: readonly string[], today?: Date): Dates {
  const named = questionDates(text, today === undefined ? [] : words, today ?? new Date(0));
  const coming = named.flatMap(({ year, month, day }) => {
    const date = new Date(Date.UTC(year ?? 0, month - 1, day));
    return day !== undefined && today !== undefined && date >= today ? date.getUTCDay() : [];
  });
  return {
    weekdays: [...words.flatMap((word) => dayOfWeek(word) ?? []), ...coming],
    impliedWeekdays: words.flatMap((word) => (WEEKEND.has(word) ? [6, 0] : WORKDAYS.has(word) ? [1, 2, 3, 4, 5] : [])),
    months: named.map(({ year = 0, month }) => year * 100 + month),
    days: named.flatMap((date) => (date.day === undefined ? [] : dayNumber(date))),
  };
}

const dayNumber = ({ year = 0, month, day = 0 }: CalendarDate): number => (year * 100 + month) * 100 + day;

/** Whether all that a note mentions is in the past, as far as it names years. */
export const isOver = ({ days }: Dates, today: Date): boolean =>
  days.length > 0 && days.every((day) => day > 9_999 && day < dayNumber(dayAt(today)));

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
    if (asked.days.length > 0 && noted.days.length > 0) break;
    if (noted.weekdays.includes(weekday)) score += 1.5;
    else if (noted.impliedWeekdays.includes(weekday)) score += 0.4;
  }
  for (const weekday of asked.impliedWeekdays.slice(0, 1)) {
    if (noted.impliedWeekdays.includes(weekday)) score += 1.5;
  }
  for (const day of asked.days) if (noted.days.some((other) => areSame(day, other, 10_000))) score += 2;
  if (asked.days.length > 0) return score;
  for (const month of asked.months) if (noted.months.some((other) => areSame(month, other, 100))) score += 1.5;
  return score;
}

/** Two days, or two months, either of which may lack its year. */
const areSame = (a: number, b: number, years: number): boolean =>
  a % years === b % years && (a < years || b < years || a === b);

export function datesConflict(asked: Dates, noted: Dates): boolean {
  if (noted.areOwn || dateMatch(asked, noted) > 0) return false;
  const isOtherWeekday = asked.weekdays.length > 0 && noted.weekdays.length > 0;
  return isOtherWeekday || (asked.months.length > 0 && noted.months.length > 0);
}
