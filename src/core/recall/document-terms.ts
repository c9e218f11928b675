// What a memory is found by: the dates of its text and the one when it occurred, the name of its namespace, and its words.
import type { Memory } from "#core/memory.ts";
import { datesIn, dateTerms, dayAt, weekdayTerms } from "#core/text/dates.ts";
import { wordsOf } from "#core/text/words.ts";

/** What stands for a word and for a term; undefined for a term that is left out. */
interface TermReader<T> {
  ofWord(word: string): T | undefined;
  ofTerm(term: string): T | undefined;
}

/** Repeats included, up to `mostDistinct` different ones, those left out included: to look these up costs most. */
export function documentTerms<T>(
  { namespace, content, occurredAt }: Pick<Memory, "namespace" | "content" | "occurredAt">,
  read: TermReader<T>,
  mostDistinct: number,
): T[] {
  const words = wordsOf(content);
  const occurred = occurredAt === undefined ? [] : [dayAt(new Date(occurredAt))];
  const dates = dateTerms([...occurred, ...datesIn(content)]).concat(weekdayTerms(words));
  const name = wordsOf(namespace);
  const terms: T[] = [];
  // Few memories have so many words, and the others need no set.
  const distinct = dates.length + name.length + words.length > mostDistinct ? new Set<T>() : undefined;
  let leftOut = 0;
  function take(term: T | undefined): void {
    if (term === undefined) {
      leftOut += 1;
      return;
    }
    terms.push(term);
    distinct?.add(term);
  }
  for (const term of dates) take(read.ofTerm(term));
  for (const word of name) take(read.ofWord(word));
  for (const word of words) {
    if (distinct !== undefined && distinct.size + leftOut >= mostDistinct) break;
    take(read.ofWord(word));
  }
  return terms;
}

// How many different terms are indexed, as part of the definition of the ranking: without a bound, one writer could
// fill the memory. A namespace knows the first terms of its memories, oldest first, so that the bound is the same on
// every replica. After a memory is forgotten in a full namespace, the index cannot take in what it left out before,
// having no text: a build from the records agrees with the definition again. The index also looks at the newest
// thousands alone of terms that are spelt alike (gram-index.ts).

export interface TermBounds {
  /** Different terms of a memory, with those that its namespace does not know. What follows the last is not read. */
  readonly ofMemory: number;
  /** Different terms of a namespace, at most 2^20. A memory is not found by others. */
  readonly ofNamespace: number;
}

export const TERM_BOUNDS: TermBounds = { ofMemory: 512, ofNamespace: 2 ** 20 };
