// Quotation: the words of a memory, in quotation marks. What is too long to repeat is cut at a
// sentence, and the cut is marked.

import type { Language } from "#core/prompt/language.ts";
import type { Phrases } from "./phrases/phrases.ts";
import type { Note } from "./reading/notes.ts";
import type { Question } from "./reading/question.ts";
import { areSimilar, stemOf, wordsOf } from "./reading/words.ts";
import { inSecondPerson } from "./second-person.ts";

const LONGEST_WHOLE = 400;
const LONGEST_EXCERPT = 300;
/** No more of a long memory is searched for the best sentence. */
const SEARCHED = 4_000;
const ELLIPSIS = "…";

// Inner quotation marks become single ones, as printers do. A memory thus cannot close the quotation that it stands in.
const INNER_MARKS: ReadonlyMap<string, string> = new Map([
  ['"', "'"],
  ["“", "‘"],
  ["”", "’"],
  ["„", "‚"],
  ["«", "‹"],
  ["»", "›"],
]);

export interface Quotation {
  readonly text: string;
  /** In the second person, and so without quotation marks. */
  readonly isSentence: boolean;
}

export function quotationOf({ content }: Note, question: Question, phrases: Phrases): Quotation {
  const sentence = canSpeak(question.language) ? inSecondPerson(content) : undefined;
  if (sentence !== undefined) return { text: sentence, isSentence: true };
  const quoted = excerptOf(content, question).replace(/["“”„«»]/gu, (mark) => INNER_MARKS.get(mark) ?? mark);
  return { text: phrases.quote(quoted), isSentence: false };
}

/** The rules for the second person are English, so an English note is quoted as it is in other languages. */
const canSpeak = (language: Language): boolean => language === "en";

function excerptOf(content: string, question: Question): string {
  const whole = content.trim().replace(/\s+/gu, " ");
  if (whole.length <= LONGEST_WHOLE) return whole;
  const sentences = whole.slice(0, SEARCHED).match(/[^.!?…]+[.!?…]*/gu) ?? [whole];
  const hits = sentences.map((sentence) => hitsIn(sentence, question));
  const from = hits.indexOf(Math.max(...hits));
  let excerpt = "";
  let next = from;
  while (next < sentences.length && excerpt.length + (sentences[next]?.length ?? 0) <= LONGEST_EXCERPT) {
    excerpt += sentences[next++];
  }
  if (excerpt === "") excerpt = cutAtWord(sentences[from] ?? whole);
  const isCut = next < sentences.length || whole.length > SEARCHED;
  const ending = !isCut || excerpt.endsWith(ELLIPSIS) ? "" : ` ${ELLIPSIS}`;
  return `${from > 0 ? `${ELLIPSIS} ` : ""}${excerpt.trim()}${ending}`;
}

function hitsIn(sentence: string, { keywords }: Question): number {
  const stems = wordsOf(sentence).map(stemOf);
  return keywords.filter(({ stem }) => stems.some((other) => areSimilar(stem, other))).length;
}

function cutAtWord(sentence: string): string {
  const cut = sentence.slice(0, LONGEST_EXCERPT);
  const space = cut.lastIndexOf(" ");
  // Without a space, the cut must not split a surrogate pair.
  const end = space > LONGEST_EXCERPT / 2 ? space : LONGEST_EXCERPT - (cut.isWellFormed() ? 0 : 1);
  return `${cut.slice(0, end)}${ELLIPSIS}`;
}
