// Tokenizer: text to the terms that a question and a memory must share to match. Case, accents, English forms and the
// ends of contractions do not count.
import { stemmer } from "stemmer";
import { regularForm } from "./irregular-forms.ts";

// Scripts without spaces between words: a run becomes its bigrams, the overlapping pairs of characters.
const UNSPACED = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
const WORDS = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, "gu");
const UNSPACED_RUN = new RegExp(`^[${UNSPACED}]`, "u");
const ASCII_WORDS = /[a-z0-9]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII.
const ASCII = /^[\x00-\x7f]*$/;
const ACCENTS = /[\u0300-\u036f]/g;
// "doctor's", "I've" and "don't" lose what follows the apostrophe: no search is about it.
const CONTRACTIONS = /n?['’](?:s|t|re|ve|ll|d|m)(?![\p{L}\p{N}])/gu;
const STEMMABLE = /^[a-z]{3,32}$/;
const LONGEST_TERM = 64;

/** The words of a text in their order: lower case, without accents. */
export function wordsOf(text: string): string[] {
  if (ASCII.test(text)) return asciiText(text).match(ASCII_WORDS) ?? [];
  return (uncontracted(fold(text)).match(WORDS) ?? []).flatMap((word) =>
    UNSPACED_RUN.test(word) ? bigrams(word) : [word],
  );
}

/** The same words in one text, for a reader who needs no list of them. They are the runs of characters `isInWord`. */
export function wordText(text: string): string {
  return ASCII.test(text) ? asciiText(text) : wordsOf(text).join(" ");
}

/** Of a character of `wordText`, by its code: small letters, digits, and all beyond ASCII. */
export function isInWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code > 0x7f;
}

function asciiText(text: string): string {
  return uncontracted(text.toLowerCase());
}

/** The term of a word: its stem, if it is in the Latin alphabet. */
export function termOf(word: string): string {
  return STEMMABLE.test(word) ? stemmer(regularForm(word)) : word.slice(0, LONGEST_TERM);
}

/** The terms of a text in their order, repeats included. */
export function termsOf(text: string): string[] {
  return wordsOf(text).map(termOf);
}

function fold(text: string): string {
  return text.normalize("NFKD").replace(ACCENTS, "").toLowerCase().replaceAll("ß", "ss").normalize("NFKC");
}

function uncontracted(text: string): string {
  return text.includes("'") || text.includes("’") ? text.replace(CONTRACTIONS, " ") : text;
}

function bigrams(run: string): string[] {
  const characters = Array.from(run);
  return characters.length < 2 ? characters : characters.slice(1).map((character, i) => characters[i] + character);
}
