// Dates that are counted from the day on which something was said, written out: "tomorrow" becomes "on 2026-05-13". What
// stays open ("soon", "May 12" without a year, "every Monday") is left as it is.
import { weekdayOf } from "#core/text/dates.ts";

const DAY_MS = 86_400_000;
const NUMBERS = "a an one two three four five six seven eight nine ten eleven twelve".split(" ");
const NUMBER = String.raw`(\d{1,3}|${NUMBERS.join("|")}|couple of|a couple of)`;
const WEEKDAY = "(sunday|monday|tuesday|wednesday|thursday|friday|saturday)";
const PART = "(?: (morning|afternoon|evening|night))?";
/** "On Tuesday and Friday" and "on Friday nights" are no day. */
const NOT_A_HABIT = `(?!,?(?: and| or)? (?:${WEEKDAY.slice(1, -1)}|mornings|afternoons|evenings|nights))`;
const MONTHS = "January February March April May June July August September October November December".split(" ");

type Resolve = (day: number, groups: readonly (string | undefined)[], isPast: boolean) => Resolved;
interface Resolved {
  readonly text: string;
  /** If it is a day. */
  readonly date?: string;
}

const DAYS: ReadonlyMap<string, number> = new Map([
  ["the day before yesterday", -2],
  ["yesterday", -1],
  ["last", -1],
  ["today", 0],
  ["this", 0],
  ["tomorrow", 1],
  ["the day after tomorrow", 2],
]);

const RULES: readonly (readonly [RegExp, Resolve])[] = [
  rule(`(the day before yesterday|the day after tomorrow|yesterday|today|tomorrow)${PART}`, (day, [name, part]) =>
    onDay(day + (DAYS.get(name ?? "") ?? 0), part),
  ),
  rule("(?:later )?(this) (morning|afternoon|evening)", (day, [, part]) => onDay(day, part)),
  rule("(last) (night)", (day) => onDay(day - 1, "night")),
  rule("(tonight)", (day) => onDay(day, "evening")),
  rule(
    `(?:on )?(next|last|this coming|this past|this|on|coming) ${WEEKDAY}${NOT_A_HABIT}${PART}`,
    (day, [which, name, part], isPast) =>
      onDay(weekday(day, name ?? "", which === "last" || which === "this past" || (isPast && which !== "next")), part),
  ),
  rule(`in ${NUMBER} (day|week|month|year)s?`, (day, [count, unit]) => away(day, numberOf(count), unit)),
  rule(`${NUMBER} (day|week|month|year)s? (?:ago|back)`, (day, [count, unit]) => away(day, -numberOf(count), unit)),
  rule("(?:in |during )?(next|last|this|this past|this coming) (week|weekend|month|year)", (day, [which, unit]) => {
    const steps = which === "next" || which === "this coming" ? 1 : which === "this" ? 0 : -1;
    if (unit === "week") return { text: `in the week of ${isoOf(mondayOf(day) + 7 * steps)}` };
    if (unit === "month" || unit === "year") return away(day, steps, unit);
    const saturday = mondayOf(day) + 5 + 7 * (which === "this coming" ? 0 : steps);
    return { text: `on the weekend of ${isoOf(saturday)}` };
  }),
];

function rule(pattern: string, resolve: Resolve): readonly [RegExp, Resolve] {
  return [
    new RegExp(String.raw`(?<![\p{L}\p{N}-])(?:since |until |by |from |for )?${pattern}(?![\p{L}\p{N}-]|['’]s)`, "giu"),
    resolve,
  ];
}

const PREPOSITION = /^(?:since|until|by|from|for) /iu;
const PAST = /\b(?:was|were|had|did|went|came|got|met|saw|flew|bought|took|left|lost|won|ran|broke|\p{L}{3,}ed)\b/iu;

/** `said` is a day or a time in ISO 8601. The day counts that its writer had. Times of the day stay. */
export function resolveDates(text: string, said: string): Resolved {
  const day = Date.parse(`${said.slice(0, 10)}T00:00:00Z`) / DAY_MS;
  const dates = new Set<string>();
  const isPast = PAST.test(text);
  let resolved = text;
  for (const [pattern, resolve] of RULES)
    resolved = resolved.replace(pattern, (match: string, ...more: unknown[]) => {
      const groups = more.slice(
        0,
        more.findIndex((each) => typeof each === "number"),
      ) as (string | undefined)[];
      const found = resolve(
        day,
        groups.map((group) => group?.toLowerCase()),
        isPast,
      );
      if (found.date !== undefined) dates.add(found.date);
      const before = PREPOSITION.exec(match)?.[0].toLowerCase() ?? "";
      return before === "" ? found.text : `${before}${found.text.replace(/^(?:on|in) /u, "")}`;
    });
  const [date, ...others] = [...dates, ...(resolved.match(/(?<!\bof )\b(?:19|20)\d\d-\d\d-\d\d\b/gu) ?? [])];
  const isOne = date !== undefined && others.every((other) => other === date);
  return { text: resolved, ...(isOne && { date }) };
}

const isoOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

const onDay = (day: number, part?: string): Resolved => ({
  text: `on ${isoOf(day)}${part === undefined ? "" : part === "night" ? " at night" : ` in the ${part}`}`,
  date: isoOf(day),
});

const mondayOf = (day: number): number => day - ((new Date(day * DAY_MS).getUTCDay() + 6) % 7);

/** The nearest one before or after the day. */
function weekday(day: number, name: string, isBefore: boolean): number {
  const today = new Date(day * DAY_MS).getUTCDay();
  const ahead = ((weekdayOf(name) ?? 0) - today + 7) % 7 || 7;
  return isBefore ? day + ahead - 7 - (ahead === 7 ? 7 : 0) : day + ahead;
}

function away(day: number, count: number, unit: string | undefined): Resolved {
  if (unit === "day" || unit === "week") return onDay(day + count * (unit === "week" ? 7 : 1));
  const then = new Date(day * DAY_MS);
  const year = then.getUTCFullYear();
  if (unit === "year") return { text: `in ${year + count}` };
  const month = then.getUTCMonth() + count;
  return { text: `in ${MONTHS[((month % 12) + 12) % 12]} ${year + Math.floor(month / 12)}` };
}

function numberOf(word = ""): number {
  if (word.endsWith("couple of")) return 2;
  const place = NUMBERS.indexOf(word);
  return place < 0 ? Number(word) : Math.max(1, place - 1);
}
