// Text to terms: what a query and a memory must share to match. Case, accents and English endings do not count.
import { stemmer } from "stemmer";

// Scripts written without spaces: a run of them becomes its overlapping pairs of characters.
const UNSPACED = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
const WORDS = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, "gu");
const UNSPACED_RUN = new RegExp(`^[${UNSPACED}]`, "u");
const ASCII_WORDS = /[a-z0-9]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, all of it.
const ASCII = /^[\x00-\x7f]*$/;
const ACCENTS = /[\u0300-\u036f]/g;
const STEMMABLE = /^[a-z]{3,32}$/;
const LONGEST_TERM = 64;

/** The terms of a text in their order, repeats included. */
export function termsOf(text: string): string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_WORDS)?.map(termOf) ?? [];
  return (fold(text).match(WORDS) ?? []).flatMap((word) => (UNSPACED_RUN.test(word) ? pairs(word) : [termOf(word)]));
}

function fold(text: string): string {
  return text.normalize("NFKD").replace(ACCENTS, "").toLowerCase().normalize("NFKC");
}

function pairs(run: string): string[] {
  const characters = Array.from(run);
  return characters.length < 2 ? characters : characters.slice(1).map((character, i) => characters[i] + character);
}

// Stemming is slower than looking up, and words repeat. The cache holds nothing but words and their stems.
const stems = new Map<string, string>();
const STEMS_AT_MOST = 100_000;

function termOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= STEMS_AT_MOST) stems.clear();
  const term = unshared(STEMMABLE.test(word) ? stemmer(word) : word.slice(0, LONGEST_TERM));
  stems.set(unshared(word), term);
  return term;
}

// A match is a view into the text it was found in (V8's sliced strings); kept as it is, it would keep that text too.
function unshared(word: string): string {
  return Array.from(word).join("");
}
