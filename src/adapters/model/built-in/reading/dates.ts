// Dates that a text mentions: weekdays, months and days of a month, in five languages. There is no clock here, so
// "tomorrow" and "next week" stay what they are.

import { MONTH_NAMES, numbered, WEEKDAY_NAMES } from "#core/calendar-names.ts";

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

type MutableDates = { [Kind in keyof Dates]: number[] };

export const NO_DATES: Dates = { weekdays: [], impliedWeekdays: [], months: [], days: [] };

const SHORT_WEEKDAYS = ["", "", "tue tues", "wed", "thu thurs", "fri", "sonnabend"];
const WEEKDAYS = withPlurals([...numbered(WEEKDAY_NAMES, 0), ...numbered(SHORT_WEEKDAYS, 0)]);
const MONTHS = withPlurals([...numbered(MONTH_NAMES, 1), ["janner", 1]]);
// "may" is a month only after one of these, or beside a number: "What may I eat?" is not about a month.
const BEFORE_MONTH = new Set(
  "in of this next last until till since by mid early late before after during about from through and".split(" "),
);
const RELATIVE = new Set(
  `today tonight tomorrow yesterday week weeks soon upcoming heute demnachst nachste woche demain semaine aujourdhui
  bientot hoy semana pronto oggi domani settimana presto`.split(/\s+/),
);
const WEEKEND = new Set("weekend weekends wochenende wochenenden".split(" "));
const WORKDAYS = new Set("weekday weekdays workday workdays werktag werktags wochentags feriali".split(" "));
/** Every word that can be part of a date, so that most words cost one look-up. */
const DATE_WORDS = new Set([...WEEKDAYS.keys(), ...MONTHS.keys(), ...WEEKEND, ...WORKDAYS]);
const YEAR = /^(?:19|20)\d\d$/;
const NUMBER = /^\d{1,4}(?:st|nd|rd|th|er)?$/;

export function datesIn(words: readonly string[]): Dates {
  const dates: MutableDates = { weekdays: [], impliedWeekdays: [], months: [], days: [] };
  words.forEach((word, at) => {
    const isDateWord = DATE_WORDS.has(word);
    const weekday = isDateWord ? WEEKDAYS.get(word) : undefined;
    if (!isDateWord) addMonth(dates, monthOfIsoDate(words, at), words, at);
    else if (weekday !== undefined) dates.weekdays.push(weekday);
    else if (WEEKEND.has(word)) dates.impliedWeekdays.push(6, 0);
    else if (WORKDAYS.has(word)) dates.impliedWeekdays.push(1, 2, 3, 4, 5);
    else addMonth(dates, monthAt(words, at), words, at);
  });
  return dates;
}

function addMonth(dates: MutableDates, month: number | undefined, words: readonly string[], at: number): void {
  if (month === undefined) return;
  dates.months.push(month);
  const day = dayBeside(words, at);
  if (day !== undefined) dates.days.push(month * 100 + day);
}

function monthAt(words: readonly string[], at: number): number | undefined {
  const word = words[at] ?? "";
  if (word !== "may") return MONTHS.get(word);
  const isMonth = BEFORE_MONTH.has(words[at - 1] ?? "") || isNumber(words[at - 1]) || isNumber(words[at + 1]);
  return isMonth ? 5 : undefined;
}

/** 2026-05-09 arrives as three words. */
function monthOfIsoDate(words: readonly string[], at: number): number | undefined {
  const month = words[at];
  // Most words end here.
  if (month?.length !== 2) return undefined;
  const year = words[at - 1];
  const day = words[at + 1];
  if (year?.length !== 4 || day?.length !== 2 || !YEAR.test(year) || dayOf(day) === undefined) return undefined;
  const value = Number(month);
  return value >= 1 && value <= 12 ? value : undefined;
}

function dayBeside(words: readonly string[], at: number): number | undefined {
  const isLinked = words[at - 1] === "de" || words[at - 1] === "of";
  return [words[at - 1], isLinked ? words[at - 2] : undefined, words[at + 1]]
    .map(dayOf)
    .find((day) => day !== undefined);
}

function dayOf(word: string | undefined): number | undefined {
  if (!isNumber(word)) return undefined;
  const day = Number.parseInt(word, 10);
  return day >= 1 && day <= 31 ? day : undefined;
}

function isNumber(word: string | undefined): word is string {
  return word !== undefined && NUMBER.test(word);
}

/** Whether a word is about time relative to now, which needs a clock. */
export const isRelative = (word: string): boolean => RELATIVE.has(word);

export const isDateWord = (word: string): boolean => (DATE_WORDS.has(word) && word !== "may") || RELATIVE.has(word);

export const hasDates = ({ weekdays, impliedWeekdays, months }: Dates): boolean =>
  weekdays.length + impliedWeekdays.length + months.length > 0;

/** How well a text's dates answer a question's: 0 for not at all. */
export function dateMatch(asked: Dates, told: Dates): number {
  let score = 0;
  for (const weekday of asked.weekdays) {
    if (told.weekdays.includes(weekday)) score += 1.5;
    else if (told.impliedWeekdays.includes(weekday)) score += 0.4;
  }
  for (const weekday of asked.impliedWeekdays.slice(0, 1)) {
    if (told.impliedWeekdays.includes(weekday)) score += 1.5;
  }
  for (const day of asked.days) if (told.days.includes(day)) score += 2;
  if (asked.days.length > 0) return score;
  for (const month of asked.months) if (told.months.includes(month)) score += 1.5;
  return score;
}

/** Whether a text has dates of the kind that is asked for, and all are others. */
export function datesConflict(asked: Dates, told: Dates): boolean {
  if (dateMatch(asked, told) > 0) return false;
  const isOtherWeekday = asked.weekdays.length > 0 && told.weekdays.length > 0;
  return isOtherWeekday || (asked.months.length > 0 && told.months.length > 0);
}

function withPlurals(names: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  return new Map(
    names
      .filter(([name]) => name !== "")
      .flatMap(([name, number]) => [
        [name, number],
        [`${name}s`, number],
      ]),
  );
}
