// What a memory is found by: its words, its dates, and the name of its namespace.
import { datesIn, dateTerms } from "./dates.ts";
import { termOf, wordsOf } from "./tokenizer.ts";
import { weekdayTerms } from "./weekdays.ts";

interface Document {
  readonly namespace: string;
  readonly content: string;
}

/** Repeats included. `stem` may be a faster `termOf`. */
export function documentTerms({ namespace, content }: Document, stem: (word: string) => string = termOf): string[] {
  const words = wordsOf(content);
  const terms = words.map(stem);
  for (const term of dateTerms(datesIn(content))) terms.push(term);
  for (const term of weekdayTerms(words)) terms.push(term);
  for (const word of wordsOf(namespace)) terms.push(stem(word));
  return terms;
}
