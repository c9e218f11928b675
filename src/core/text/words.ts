// The words of a text: without case and accents, in their order. Two readers share them: recall, which needs terms that a
// question and a memory have in common, and rules for fixed words, such as those for emergencies.
import { stemmer } from "stemmer";
import irregularForms from "./irregular-forms.json" with { type: "json" };

// Scripts without spaces between words: a run becomes its bigrams, the overlapping pairs of characters.
const UNSPACED = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
const FIRST_UNSPACED = 0x0e00;
const UNSPACED_RUN = new RegExp(`^[${UNSPACED}]`, "u");
const WORDS = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, "gu");
const FOLDED_WORDS = /[\p{L}\p{N}]+/gu;
const ASCII_WORDS = /[a-z0-9]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII.
const ASCII = /^[\x00-\x7f]*$/;
const ACCENTS = /[\u0300-\u036f]/g;
const MARKS = /\p{M}/gu;
// "doctor's", "I've" and "don't" lose what follows the apostrophe: no search is about it.
const CONTRACTIONS = /n?['’](?:s|t|re|ve|ll|d|m)(?![\p{L}\p{N}])/gu;
// French and Italian elisions: "l'allergie" and "c'è" are two words. "can't" and "I'm" stay one.
const ELISIONS = /(?<![\p{L}\p{N}])([cdjlmnst]|qu|un|all|com|dall|dell|dov|nell|quand|sull)['’](?=\p{L})/giu;
const STEMMABLE = /^[a-z]{3,32}$/;
const LONGEST_TERM = 64;

/** The words by which memories are found. The ends of contractions do not count. */
export function wordsOf(text: string): string[] {
  if (ASCII.test(text)) return asciiText(text).match(ASCII_WORDS) ?? [];
  return withBigrams(uncontracted(fold(text, ACCENTS)).match(WORDS) ?? []);
}

/** The same words in one text, for a reader who needs no list of them. They are the runs of characters `isInWord`. */
export const wordText = (text: string): string => (ASCII.test(text) ? asciiText(text) : wordsOf(text).join(" "));

/** Of a character of `wordText`, by its code: small letters, digits, and all beyond ASCII. */
export const isInWord = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code > 0x7f;

/** The words for rules that look for fixed ones: without apostrophes, so that "can't" is `cant`. */
export function foldedWords(text: string): string[] {
  const joined = hasApostrophe(text) ? text.replace(ELISIONS, "$1 ").replace(/['’]/g, "") : text;
  if (ASCII.test(joined)) return joined.toLowerCase().match(ASCII_WORDS) ?? [];
  return fold(joined, MARKS).match(FOLDED_WORDS) ?? [];
}

/** The words, with bigrams in the place of those in scripts without spaces. */
export function withBigrams(words: string[]): string[] {
  if (!words.some(isUnspaced)) return words;
  return words.flatMap((word) => {
    const characters = isUnspaced(word) ? Array.from(word) : [];
    if (characters.length < 2) return [word];
    return characters.slice(1).map((character, i) => characters[i] + character);
  });
}

const isUnspaced = (word: string): boolean => word.charCodeAt(0) >= FIRST_UNSPACED && UNSPACED_RUN.test(word);

const asciiText = (text: string): string => uncontracted(text.toLowerCase());

const hasApostrophe = (text: string): boolean => text.includes("'") || text.includes("’");

const uncontracted = (text: string): string => (hasApostrophe(text) ? text.replace(CONTRACTIONS, " ") : text);

const fold = (text: string, marks: RegExp): string =>
  decomposed(text).replace(marks, "").toLowerCase().replaceAll("ß", "ss").normalize("NFKC");

/** A Hangul syllable becomes three characters, and so a whole text in Korean. */
const MOST_PER_CHARACTER = 3;
/** So that the few ligatures of a short text are not cut. */
const SPARE = 256;

/** Compatibility decomposition (NFKD). Of some characters it makes eighteen: what would be much longer is cut off. */
export const decomposed = (text: string): string =>
  text.normalize("NFKD").slice(0, MOST_PER_CHARACTER * text.length + SPARE);

/** The term of a word: its stem, if it is in the Latin alphabet. */
export const termOf = (word: string): string =>
  STEMMABLE.test(word) ? stemmer(REGULAR_FORMS.get(word) ?? word) : word.slice(0, LONGEST_TERM);

export const wordSet = (list: string | readonly string[]): ReadonlySet<string> =>
  new Set([list].flat().join(" ").trim().split(/\s+/));

// Irregular forms of English words, which no rule of a stemmer finds. Each group is a word and its forms.
const REGULAR_FORMS: ReadonlyMap<string, string> = new Map(
  irregularForms
    .join(", ")
    .split(", ")
    .flatMap((group) => {
      const [word = "", ...forms] = group.split(" ");
      return forms.map((form): [string, string] => [form, word]);
    }),
);
