// What a memory is found by: its words, its dates, and the name of its namespace.
import { datesIn, dateTerms } from "./dates.ts";
import { wordsOf } from "./tokenizer.ts";
import { weekdayTerms } from "./weekdays.ts";

interface Document {
  readonly namespace: string;
  readonly content: string;
}

/** Repeats included. The functions say what stands for a word, and what for a term. */
export function documentTerms<T>(
  { namespace, content }: Document,
  ofWord: (word: string) => T,
  ofTerm: (term: string) => T,
): T[] {
  const words = wordsOf(content);
  const terms: T[] = [];
  for (const word of words) terms.push(ofWord(word));
  for (const term of dateTerms(datesIn(content))) terms.push(ofTerm(term));
  for (const term of weekdayTerms(words)) terms.push(ofTerm(term));
  for (const word of wordsOf(namespace)) terms.push(ofWord(word));
  return terms;
}
