// A vocabulary of English-looking words, drawn with the frequencies of natural text (Zipf–Mandelbrot).
import { between, pick } from "./random.ts";
import { weightedPicker } from "./weighted-picker.ts";

const COMMON = (
  "the of and to a in is that for it was on are as with be at by this have from or had not but what all were when " +
  "we there can an your which their said if do will each about how up out them then she many some so these would " +
  "other into has more her two like him see time could no make than first been its who now people my made over did"
).split(" ");

const STARTS = "b br c ch cl d dr f fl g gr h j k l m n p pl pr qu r s sh sp st t tr v w".split(" ");
const VOWELS = "a e i o u ai ea ee ie oa ou".split(" ");
const ENDS = "b d g k l m n nd ng nt p r rd rt s ss st t x".split(" ");
const ENDINGS = ["", "", "", "s", "s", "ed", "ing", "er", "ly", "ation", "ness"];

const SIZE = 20_000;
// Mandelbrot's shift: in natural text the most common words are rarer than 1/rank would give.
const SHIFT = 2.7;

export interface Vocabulary {
  /** A word by frequency. */
  any(): string;
  /** One of the most common words. */
  common(): string;
}

export function createVocabulary(random: () => number): Vocabulary {
  const words = createWords(random);
  const weights = words.map((_, rank) => 1 / (rank + 1 + SHIFT));
  return {
    any: weightedPicker(words, weights, random),
    common: () => pick(COMMON, random),
  };
}

function createWords(random: () => number): string[] {
  const words = new Set(COMMON);
  while (words.size < SIZE) words.add(inventWord(random));
  return [...words];
}

function inventWord(random: () => number): string {
  const syllable = () => pick(STARTS, random) + pick(VOWELS, random);
  const stem = Array.from({ length: between(1, 2, random) }, syllable).join("") + pick(ENDS, random);
  return stem + pick(ENDINGS, random);
}
