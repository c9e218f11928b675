// Tokenizer: text to the terms that a query and a memory must share to match. Case, accents and English endings do not
// count.
import { stemmer } from "stemmer";

// Scripts without spaces between words: a run becomes its bigrams, the overlapping pairs of characters.
const UNSPACED = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
const WORDS = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, "gu");
const UNSPACED_RUN = new RegExp(`^[${UNSPACED}]`, "u");
const ASCII_WORDS = /[a-z0-9]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII.
const ASCII = /^[\x00-\x7f]*$/;
const ACCENTS = /[\u0300-\u036f]/g;
const STEMMABLE = /^[a-z]{3,32}$/;
const LONGEST_TERM = 64;

/** The terms of a text in their order, repeats included. */
export function termsOf(text: string): string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_WORDS)?.map(termOf) ?? [];
  return (fold(text).match(WORDS) ?? []).flatMap((word) => (UNSPACED_RUN.test(word) ? bigrams(word) : [termOf(word)]));
}

function fold(text: string): string {
  return text.normalize("NFKD").replace(ACCENTS, "").toLowerCase().normalize("NFKC");
}

function bigrams(run: string): string[] {
  const characters = Array.from(run);
  return characters.length < 2 ? characters : characters.slice(1).map((character, i) => characters[i] + character);
}

// A cache of stems, because a lookup is faster than stemming and words repeat.
const stems = new Map<string, string>();
const MAX_STEMS = 100_000;

function termOf(word: string): string {
  const cached = stems.get(word);
  if (cached !== undefined) return cached;
  if (stems.size >= MAX_STEMS) stems.clear();
  const term = copyOf(STEMMABLE.test(word) ? stemmer(word) : word.slice(0, LONGEST_TERM));
  stems.set(copyOf(word), term);
  return term;
}

// V8 represents a match as a slice of its text, and a cached slice would keep the whole text in memory.
function copyOf(word: string): string {
  return Array.from(word).join("");
}
