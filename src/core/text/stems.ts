// How words are compared. The matcher forgives endings and a typing error, and looks at the few memories of one prompt.
import { foldedWords, withBigrams } from "./words.ts";

const SHORTEST_STEMMABLE = 4;
const SHORTEST_SIMILAR = 5;
const LONGEST_ENDING = 3;

export const wordsOf = (text: string): string[] => withBigrams(foldedWords(text));

/** Removes the common English endings. The rest need not be a word. */
export function stemOf(word: string): string {
  if (word.length < SHORTEST_STEMMABLE) return word;
  let stem = withoutPlural(word);
  if (stem.length > 5 && stem.endsWith("ing")) stem = withoutDouble(stem.slice(0, -3));
  else if (stem.length > 4 && stem.endsWith("ed")) stem = withoutDouble(stem.slice(0, -2));
  if (stem.length > 3 && stem.endsWith("e")) stem = stem.slice(0, -1);
  return stem;
}

function withoutPlural(word: string): string {
  if (!word.endsWith("s") || word.endsWith("ss") || word.endsWith("us") || word.endsWith("is")) return word;
  return word.length > 4 && word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

function withoutDouble(stem: string): string {
  const last = stem.length - 1;
  const isDouble = stem.length > 3 && stem[last] === stem[last - 1] && !"lsz".includes(stem[last] ?? "");
  return isDouble ? stem.slice(0, -1) : stem;
}

/** Whether two stems are equal or differ in their endings only: "allergic" and "allergy". */
export function areSimilar(a: string, b: string): boolean {
  if (a === b) return true;
  const shorter = Math.min(a.length, b.length);
  if (shorter < SHORTEST_SIMILAR || a.charCodeAt(0) !== b.charCodeAt(0)) return false;
  const prefix = Math.max(SHORTEST_SIMILAR, Math.max(a.length, b.length) - LONGEST_ENDING);
  return shorter >= prefix && a.startsWith(b.slice(0, prefix));
}

/** Whether one letter too many, too few, wrong or swapped makes `b` of `a`. The first letter must be right. */
export function differByTypingError(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < SHORTEST_SIMILAR || Math.abs(a.length - b.length) > 1) return false;
  if (a.charCodeAt(0) !== b.charCodeAt(0)) return false;
  let at = 1;
  while (at < a.length && a[at] === b[at]) at++;
  const isSwapped = a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
  return (
    isSwapped ||
    a.slice(at + 1) === b.slice(at + 1) ||
    a.slice(at + 1) === b.slice(at) ||
    a.slice(at) === b.slice(at + 1)
  );
}
