// Which words name a month, and how surely.
import { MONTH_NAMES, numbered } from "#core/calendar-names.ts";

interface Month {
  /** From 1. */
  readonly month: number;
  /** The name is also another word, or short. It needs a day or a preposition beside it to be read as a month. */
  readonly isAmbiguous: boolean;
}

const ALSO_OTHER_WORDS = new Set(["march", "mars", "may"]);
const SHORT_NAMES = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep sept", "oct", "nov", "dec"];

export const MONTHS: ReadonlyMap<string, Month> = new Map([
  ...numbered(SHORT_NAMES, 1).map(([name, month]): [string, Month] => [name, { month, isAmbiguous: true }]),
  ...numbered(MONTH_NAMES, 1).map(([name, month]): [string, Month] => [
    name,
    { month, isAmbiguous: ALSO_OTHER_WORDS.has(name) },
  ]),
]);

export const PREPOSITIONS: ReadonlySet<string> = new Set(
  "in of by since until till during before after last this next early late mid for from im en a au".split(" "),
);
