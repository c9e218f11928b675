// Which of five languages a question is in, by its commonest words: they say nothing about the subject of a question.
import functionWords from "./function-words.json" with { type: "json" };

export type Language = keyof typeof functionWords;

const LANGUAGES = Object.keys(functionWords) as Language[];

/** By word, the languages in which it is a function word. */
const LANGUAGES_OF = new Map<string, Language[]>();
for (const language of LANGUAGES) {
  for (const word of functionWords[language].join(" ").split(" ")) {
    LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), language]);
  }
}

/** In that language only: "car" is one in French. */
export const isFunctionWord = (word: string, language: Language): boolean =>
  LANGUAGES_OF.get(word)?.includes(language) ?? false;

const LEAST_SHARE = 0.25;

/** Undefined when too few of the words tell. */
export function languageOf(words: readonly string[], text: string): Language | undefined {
  const counts = countsOf(words, text);
  const best = likeliest(counts, LANGUAGES);
  return counts[best] > 0 && counts[best] >= words.length * LEAST_SHARE ? best : undefined;
}

/** The likeliest of several languages. The earlier one wins ties. */
export const likeliestLanguage = (words: readonly string[], text: string, among: readonly Language[]): Language =>
  likeliest(countsOf(words, text), among);

const likeliest = (counts: Readonly<Record<Language, number>>, among: readonly Language[]): Language =>
  among.reduce((best, language) => (counts[language] > counts[best] ? language : best));

/** How many of the words each language has. A word that two languages share counts for both. */
function countsOf(words: readonly string[], text: string): Record<Language, number> {
  const counts: Record<Language, number> = { en: 0, de: 0, fr: 0, es: 0, it: 0 };
  for (const word of words) for (const language of LANGUAGES_OF.get(word) ?? []) counts[language] += 1;
  if (!/[^ -~]/.test(text)) return counts;
  if (/[¿¡ñ]/u.test(text)) counts.es += 2;
  if (/[äöüß]/iu.test(text)) counts.de += 1;
  if (/[çœêèàù]/iu.test(text)) counts.fr += 0.5;
  return counts;
}
