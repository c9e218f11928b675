// A question as the model reads it: its language, its keywords, and the dates in it.

import { isFunctionWord, type Language, languageOf } from "#core/prompt/language.ts";
import { type Dates, datesIn, hasDates, isDateWord, isRelative } from "./dates.ts";
import { type Entry, lookUp } from "./lexicon.ts";
import { stemOf, wordsOf } from "./words.ts";

export interface Keyword extends Entry {
  readonly word: string;
  readonly stem: string;
}

export interface Question {
  /** Folded, in their order. */
  readonly words: readonly string[];
  /** The first words with a space around each, so that `includes` finds phrases. */
  readonly line: string;
  readonly language: Language;
  /** Distinct words that say what the question is about. */
  readonly keywords: readonly Keyword[];
  readonly dates: Dates;
  /** Asks for what is coming up, without saying when, or by a word such as "tomorrow". */
  readonly asksForSchedule: boolean;
  /** The topics of all its words. */
  readonly topics: number;
  /** It is written in a script in which none of our languages is. */
  readonly isUnreadable: boolean;
}

const MAX_KEYWORDS = 64;
/** Phrases are looked for at the beginning of a long question only. */
const MAX_LINE_WORDS = 100;

// Words of questions that say nothing about the subject. Those for a schedule count when nothing else does.
const SCHEDULE_WORDS = new Set(
  `planned plan plans planning coming upcoming happening happens schedule scheduled calendar appointment appointments
  agenda dates day days events geplant termine termin kalender ansteht steht prevu rendezvous calendrier planeado citas
  calendario programma appuntamenti programmato`.split(/\s+/),
);
const QUESTION_WORDS = new Set(
  `know tell say said says remember remind think mean means keep mind idea good bad best better aware sure help show list
  find explain describe share everything summary summarise summarize overview notes note memory memories matter ask question
  happen time times look looks right today hello hi hey thanks thank wissen weiss weisst sag sage sagen erzahl zeig liste
  zusammenfassung savoir dis parle resume liste saber sabe dime cuentame resumen lista sapere sai dimmi riassunto elenca
  may possible safe allowed feel feeling next last free today one two three four five six seven eight nine ten eleven twelve
  each every name called`.split(/\s+/),
);

export function readQuestion(text: string): Question {
  const words = wordsOf(text);
  const dates = datesIn(words);
  const language = languageOf(words, text) ?? "en";
  const keywords = keywordsOf(words, dates, language);
  const wantsSchedule = words.some((word) => SCHEDULE_WORDS.has(word) || isRelative(word));
  return {
    words,
    line: ` ${words.slice(0, MAX_LINE_WORDS).join(" ")} `,
    language,
    keywords,
    dates,
    asksForSchedule: wantsSchedule && keywords.length === 0 && !hasDates(dates),
    topics: keywords.reduce((topics, keyword) => topics | keyword.topics, 0),
    isUnreadable: words.length > 0 && !words.some((word) => /^[\p{sc=Latin}\d]/u.test(word)),
  };
}

function keywordsOf(words: readonly string[], dates: Dates, language: Language): Keyword[] {
  const keywords = new Map<string, Keyword>();
  for (const word of words) {
    if (isFunctionWord(word, language) || QUESTION_WORDS.has(word) || SCHEDULE_WORDS.has(word) || isDateWord(word))
      continue;
    if (dates.days.length > 0 && /^\d/.test(word)) continue;
    if (word.length < 2 || keywords.size >= MAX_KEYWORDS) continue;
    const stem = stemOf(word);
    if (!keywords.has(stem)) keywords.set(stem, { word, stem, ...lookUp(stem) });
  }
  return [...keywords.values()];
}

/** Phrases of folded words, each with a space at both ends, by their first word: most questions have few of those. */
export type PhraseList = ReadonlyMap<string, readonly string[]>;

/** The phrases of a list that bars separate. */
export function phraseList(list: string): PhraseList {
  const phrases = list.split("|").map((phrase) => phrase.trim());
  const byFirstWord = Map.groupBy(phrases, (phrase) => phrase.split(" ", 1)[0] ?? "");
  return new Map([...byFirstWord].map(([word, group]) => [word, group.map((phrase) => ` ${phrase} `)]));
}

/** Whether the question has one of the phrases. */
export const says = ({ words, line }: Question, phrases: PhraseList): boolean =>
  words.some((word) => phrases.get(word)?.some((phrase) => line.includes(phrase)));

export const beginsWith = ({ words, line }: Question, phrases: PhraseList): boolean =>
  phrases.get(words[0] ?? "")?.some((phrase) => line.startsWith(phrase)) ?? false;
