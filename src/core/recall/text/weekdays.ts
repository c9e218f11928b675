// Weekdays in English, German, French, Spanish and Italian. Each becomes the same term in every language.

const NAMES = [
  "sunday sundays sonntag dimanche domingo domenica",
  "monday mondays montag lundi lunes lunedi",
  "tuesday tuesdays dienstag mardi martes martedi",
  "wednesday wednesdays mittwoch mercredi miercoles mercoledi",
  "thursday thursdays donnerstag jeudi jueves giovedi",
  "friday fridays freitag vendredi viernes venerdi",
  "saturday saturdays samstag samedi sabado sabato",
];

const TERMS: ReadonlyMap<string, string> = new Map(
  NAMES.flatMap((line, day) => line.split(" ").map((name): [string, string] => [name, weekdayTerm(day)])),
);

/** Sunday is 0. */
function weekdayTerm(day: number): string {
  return `#weekday-${day}`;
}

/** The weekdays among the words of a text, each once. */
export function weekdayTerms(words: readonly string[]): string[] {
  let found: Set<string> | undefined;
  for (const word of words) {
    const term = TERMS.get(word);
    if (term !== undefined) found = (found ?? new Set()).add(term);
  }
  return found === undefined ? [] : [...found];
}
