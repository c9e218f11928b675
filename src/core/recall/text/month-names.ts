// The names of the months in English, German, French, Spanish and Italian, in lower case and without accents.

interface Month {
  /** From 1. */
  readonly month: number;
  /** The name is also another word, or short. It needs a day or a preposition beside it to be read as a month. */
  readonly isAmbiguous: boolean;
}

const NAMES = [
  "january januar janvier enero gennaio",
  "february februar fevrier febrero febbraio",
  "marz marzo",
  "april avril abril aprile",
  "mai mayo maggio",
  "june juni juin junio giugno",
  "july juli juillet julio luglio",
  "august aout agosto",
  "september septembre septiembre settembre",
  "october oktober octobre octubre ottobre",
  "november novembre noviembre",
  "december dezember decembre diciembre dicembre",
];
const AMBIGUOUS_NAMES = [
  "jan",
  "feb",
  "march mars mar",
  "apr",
  "may",
  "jun",
  "jul",
  "aug",
  "sep sept",
  "oct",
  "nov",
  "dec",
];

const months = (lines: readonly string[], isAmbiguous: boolean) =>
  lines.flatMap((line, i) => line.split(" ").map((name): [string, Month] => [name, { month: i + 1, isAmbiguous }]));

export const MONTHS: ReadonlyMap<string, Month> = new Map([...months(NAMES, false), ...months(AMBIGUOUS_NAMES, true)]);

export const PREPOSITIONS: ReadonlySet<string> = new Set(
  "in of by since until till during before after last this next early late mid for from im en a au".split(" "),
);
