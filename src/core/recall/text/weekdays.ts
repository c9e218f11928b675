// Weekdays in a text. Each becomes the same term in every language.
import { numbered, WEEKDAY_NAMES } from "#core/calendar-names.ts";

/** "Mondays" is English. The other languages do not form their plurals so, or have the same word. */
const WEEKDAYS: ReadonlyMap<string, number> = new Map(
  numbered(WEEKDAY_NAMES, 0).flatMap(([name, day]) =>
    name.endsWith("day") ? [[name, day] as const, [`${name}s`, day] as const] : [[name, day] as const],
  ),
);

/** The weekdays among the words of a text, each once. */
export function weekdayTerms(words: readonly string[]): string[] {
  let found: Set<string> | undefined;
  for (const word of words) {
    const day = WEEKDAYS.get(word);
    if (day !== undefined) found = (found ?? new Set()).add(`#weekday-${day}`);
  }
  return found === undefined ? [] : [...found];
}
