// The names of weekdays and months in English, German, French, Spanish and Italian, in lower case and without accents.

/** One line a day, Sunday first. */
export const WEEKDAY_NAMES: readonly string[] = [
  "sunday sonntag dimanche domingo domenica",
  "monday montag lundi lunes lunedi",
  "tuesday dienstag mardi martes martedi",
  "wednesday mittwoch mercredi miercoles mercoledi",
  "thursday donnerstag jeudi jueves giovedi",
  "friday freitag vendredi viernes venerdi",
  "saturday samstag samedi sabado sabato",
];

/** One line a month, January first. */
export const MONTH_NAMES: readonly string[] = [
  "january januar janvier enero gennaio",
  "february februar fevrier febrero febbraio",
  "march marz mars marzo",
  "april avril abril aprile",
  "may mai mayo maggio",
  "june juni juin junio giugno",
  "july juli juillet julio luglio",
  "august aout agosto",
  "september septembre septiembre settembre",
  "october oktober octobre octubre ottobre",
  "november novembre noviembre",
  "december dezember decembre diciembre dicembre",
];

/** Each name with the number of its line, counted from `first`. */
export function numbered(lines: readonly string[], first: number): [name: string, number: number][] {
  return lines.flatMap((line, i) => line.split(" ").map((name): [string, number] => [name, first + i]));
}
