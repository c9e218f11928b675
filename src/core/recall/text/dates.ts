// Dates in texts: "12 May", "May 12th, 2026", "2026-05-12", "in May", in five languages. A memory's own dates become
// terms, so that a question about a date finds them by the same index as words.
import { MONTHS, PREPOSITIONS } from "./month-names.ts";

export interface CalendarDate {
  readonly year?: number;
  /** From 1. */
  readonly month: number;
  readonly day?: number;
}

/** Dates beyond these are not read. */
const MAX_DATES = 16;
/** The beginnings of the months' names. Most texts have none, and need no closer look. */
const BEGINNINGS = new Set([...[...MONTHS.keys()].map((name) => name.slice(0, 3)), "mär", "fév", "aoû", "déc"]);
const HINT = new RegExp(String.raw`\d{4}-\d{2}-\d{2}|\b(?:${[...BEGINNINGS].join("|")})`, "iu");
const TOKENS = /(\d{4})-(\d{2})-(\d{2})|\p{L}+|\d+/gu;
const BETWEEN_DAY_AND_MONTH = new Set(["of", "de", "di", "st", "nd", "rd", "th", "er", "the"]);

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

/** The date whose month is named at `i`. */
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
  return PREPOSITIONS.has(folded(tokens[i - 1]?.[0])) || (i > 0 && /^\p{Lu}\p{Ll}+$/u.test(name));
}

/** The number beside `i`, past the words that join a day to its month. */
function numberAt(tokens: Tokens, i: number, step: 1 | -1): { value: number; at: number } | undefined {
  let at = i + step;
  while (BETWEEN_DAY_AND_MONTH.has(folded(tokens[at]?.[0]))) at += step;
  const text = tokens[at]?.[0] ?? "";
  return /^\d{1,4}$/.test(text) ? { value: Number(text), at } : undefined;
}

function dayOf(value: number | undefined): { day: number } | undefined {
  return value !== undefined && value >= 1 && value <= 31 ? { day: value } : undefined;
}

const isYear = (value: number | undefined): boolean => value !== undefined && value >= 1_900 && value < 2_200;

function folded(word = ""): string {
  return word
    .normalize("NFKD")
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
