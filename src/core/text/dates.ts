// The dates of a text, "May 12th, 2026" or "on Monday", in five languages. Those of a memory become terms of the index.
import names from "./date-names.json" with { type: "json" };
import { decomposed, wordSet } from "./words.ts";

export interface CalendarDate {
  readonly year?: number;
  readonly month: number;
  readonly day?: number;
}

/** Each name, in lower case and without accents, with the number of its line, counted from `first`. */
const numbered = (lines: readonly string[], first: number): [name: string, number: number][] =>
  lines.flatMap((line, i) => line.split(" ").map((name): [string, number] => [name, first + i]));

/** With plurals: "Mondays" is English and "montags" German. No other word of our languages is like them. */
const WEEKDAYS: ReadonlyMap<string, number> = new Map(
  numbered(names.weekdays, 0).flatMap(([name, day]) => [[name, day] as const, [`${name}s`, day] as const]),
);

const ALSO_OTHER_WORDS = new Set(["march", "mars", "may"]);
/** A name that is ambiguous, or short, needs a day or a preposition beside it to be read as a month. */
const MONTHS = new Map([
  ...numbered(names.shortMonths, 1).map(([name, month]) => [name, { month, isAmbiguous: true }] as const),
  ...numbered(names.months, 1).map(
    ([name, month]) => [name, { month, isAmbiguous: ALSO_OTHER_WORDS.has(name) }] as const,
  ),
]);
const BEFORE_MONTH = wordSet(
  "in of by since until till during before after last this next early late mid for from im en a au",
);
const BETWEEN_DAY_AND_MONTH = new Set(["of", "de", "di", "st", "nd", "rd", "th", "er", "the"]);

/** Dates beyond these are not read. */
const MAX_DATES = 16;
/** The beginnings of the months' names. Most texts have none, and need no closer look. */
const BEGINNINGS = new Set([...[...MONTHS.keys()].map((name) => name.slice(0, 3)), "mär", "fév", "aoû", "déc", "jän"]);
const HINT = new RegExp(String.raw`\d{4}-\d{2}-\d{2}|\b(?:${[...BEGINNINGS].join("|")})`, "iu");
const TOKENS = /(\d{4})-(\d{2})-(\d{2})|\p{L}+|\d+/gu;

/** 0 is Sunday. Undefined for other words. */
export const weekdayOf = (word: string): number | undefined => WEEKDAYS.get(word);

/** Whether the word is the name of a month, in full; "may" is mostly another word. */
export const isMonthName = (word: string): boolean =>
  MONTHS.has(word) && (word.length > "may".length || MONTHS.get(word)?.isAmbiguous === false);

export function datesIn(text: string): CalendarDate[] {
  if (!HINT.test(text)) return [];
  const tokens = [...text.slice(0, 8_000).matchAll(TOKENS)];
  const dates: CalendarDate[] = [];
  for (const [i, token] of tokens.entries()) {
    if (dates.length === MAX_DATES) break;
    const [, year, month, day] = token;
    const date =
      year === undefined ? namedDate(tokens, i) : { year: Number(year), month: Number(month), ...dayOf(Number(day)) };
    if (date !== undefined && date.month >= 1 && date.month <= 12) dates.push(date);
  }
  return dates;
}

type Tokens = readonly (readonly (string | undefined)[])[];

function namedDate(tokens: Tokens, i: number): CalendarDate | undefined {
  const name = folded(tokens[i]?.[0]);
  const found = MONTHS.get(name);
  if (found === undefined) return undefined;
  const before = numberAt(tokens, i, -1);
  const after = numberAt(tokens, i, 1);
  const day = dayOf(before?.value) ?? dayOf(after?.value);
  if (found.isAmbiguous && day === undefined && !isNamedInContext(tokens, i)) return undefined;
  const year = [before, after, after && numberAt(tokens, after.at, 1)].find((number) => isYear(number?.value))?.value;
  return { month: found.month, ...day, ...(year !== undefined && { year }) };
}

/** "may" and "march" are months after a preposition, or with a capital letter inside a sentence. */
function isNamedInContext(tokens: Tokens, i: number): boolean {
  const name = tokens[i]?.[0] ?? "";
  return BEFORE_MONTH.has(folded(tokens[i - 1]?.[0])) || (i > 0 && /^\p{Lu}\p{Ll}+$/u.test(name));
}

/** The number beside `i`, past the words that join a day to its month. */
function numberAt(tokens: Tokens, i: number, step: 1 | -1): { value: number; at: number } | undefined {
  let at = i + step;
  while (BETWEEN_DAY_AND_MONTH.has(folded(tokens[at]?.[0]))) at += step;
  const text = tokens[at]?.[0] ?? "";
  return /^\d{1,4}$/.test(text) ? { value: Number(text), at } : undefined;
}

const dayOf = (value: number | undefined): { day: number } | undefined =>
  value !== undefined && value >= 1 && value <= 31 ? { day: value } : undefined;

const isYear = (value: number | undefined): boolean => value !== undefined && value >= 1_900 && value < 2_200;

function folded(word = ""): string {
  return decomposed(word)
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
}

/** A month is a term, and a day is one more. No word is like them: words have no `#`. */
export function dateTerms(dates: readonly CalendarDate[]): string[] {
  if (dates.length === 0) return [];
  const terms = dates.flatMap(({ month, day }) => {
    const monthTerm = `#${month}`;
    return day === undefined ? [monthTerm] : [monthTerm, `${monthTerm}-${day}`];
  });
  return [...new Set(terms)];
}

/** The weekdays among the words of a text, each once, as the same term in every language. */
export function weekdayTerms(words: readonly string[]): string[] {
  let found: Set<string> | undefined;
  for (const word of words) {
    const day = WEEKDAYS.get(word);
    if (day !== undefined) found = (found ?? new Set()).add(`#weekday-${day}`);
  }
  return found === undefined ? [] : [...found];
}

const DAY_MS = 86_400_000;

const DAYS_FROM_TODAY: ReadonlyMap<string, number> = new Map(numbered(names.days, -1));

/** The named dates, and the days that are counted from now. `words` are the tokenizer's. */
export function questionDates(query: string, words: readonly string[], now: Date): CalendarDate[] {
  const dates = datesIn(query);
  for (let i = 0; i < words.length; i++) dates.push(...relativeDates(words[i - 1], words[i] as string, now));
  return dates;
}

function relativeDates(previous: string | undefined, word: string, now: Date): readonly CalendarDate[] {
  const days = DAYS_FROM_TODAY.get(word);
  if (days !== undefined) return [dayAt(now, days)];
  const steps = previous === "last" ? -1 : previous === "next" ? 1 : previous === "this" ? 0 : undefined;
  if (steps === undefined) return [];
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

/** In UTC. */
export function dayAt(now: Date, days = 0): CalendarDate {
  const then = new Date(now.getTime() + days * DAY_MS);
  return { year: then.getUTCFullYear(), month: then.getUTCMonth() + 1, day: then.getUTCDate() };
}

/** How close a capture is to the nearest of the dates, from 0 to 1. People tell things a few days after they happened. */
export const closeness = (dates: readonly CalendarDate[], occurredAt: number): number =>
  dates.reduce((best, date) => Math.max(best, closenessTo(date, occurredAt)), 0);

function closenessTo({ year, month, day }: CalendarDate, occurredAt: number): number {
  const occurred = new Date(occurredAt);
  const occurredYear = occurred.getUTCFullYear();
  if (year !== undefined && year !== occurredYear) return 0;
  const isSameMonth = occurred.getUTCMonth() + 1 === month;
  if (day === undefined) return isSameMonth ? 1 : 0;
  const distance = Math.abs(occurredAt - Date.UTC(occurredYear, month - 1, day)) / DAY_MS;
  if (distance < 1.5) return 1;
  if (distance < 4) return 0.8;
  if (distance < 8) return 0.5;
  return isSameMonth ? 0.3 : 0;
}
