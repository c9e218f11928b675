// English-looking words, drawn as often as words of their rank are in a text: a few very common ones, many rare ones.
import { between, pick } from "./random.ts";

const COMMON = (
  "the of and to a in is that for it was on are as with be at by this have from or had not but what all were when " +
  "we there can an your which their said if do will each about how up out them then she many some so these would " +
  "other into has more her two like him see time could no make than first been its who now people my made over did"
).split(" ");

const STARTS = "b br c ch cl d dr f fl g gr h j k l m n p pl pr qu r s sh sp st t tr v w".split(" ");
const VOWELS = "a e i o u ai ea ee ie oa ou".split(" ");
const ENDS = "b d g k l m n nd ng nt p r rd rt s ss st t x".split(" ");
const ENDINGS = ["", "", "", "s", "s", "ed", "ing", "er", "ly", "ation", "ness"];

const VOCABULARY = 20_000;
// Mandelbrot's shift: real texts have fewer of their very first words than 1/rank would give.
const SHIFT = 2.7;

export interface Words {
  /** A word, common ones more often. */
  any(): string;
  /** One of the most common. */
  common(): string;
}

export function createWords(random: () => number): Words {
  const vocabulary = createVocabulary(random);
  const upTo = cumulated(vocabulary.map((_, rank) => 1 / (rank + 1 + SHIFT)));
  const total = upTo.at(-1) as number;
  return {
    any: () => vocabulary[firstAbove(upTo, random() * total)] as string,
    common: () => pick(COMMON, random),
  };
}

function createVocabulary(random: () => number): string[] {
  const words = new Set(COMMON);
  while (words.size < VOCABULARY) words.add(invented(random));
  return [...words];
}

function invented(random: () => number): string {
  const syllable = () => pick(STARTS, random) + pick(VOWELS, random);
  const stem = Array.from({ length: between(1, 2, random) }, syllable).join("") + pick(ENDS, random);
  return stem + pick(ENDINGS, random);
}

function cumulated(weights: readonly number[]): Float64Array {
  let sum = 0;
  return Float64Array.from(weights, (weight) => {
    sum += weight;
    return sum;
  });
}

/** The first place whose value is above `limit`, by bisection. */
function firstAbove(ascending: Float64Array, limit: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
