// A question as the model reads it: its language, its keywords, and the dates in it.
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import type { PromptData } from "#core/prompt/prompt.ts";
import { isFunctionWord, type Language, languageOf } from "#core/text/language.ts";
import { type Entry, lookUp, TOPICS } from "#core/text/lexicon.ts";
import { stemOf, wordsOf } from "#core/text/stems.ts";
import { wordSet } from "#core/text/words.ts";
import { type Dates, datesIn, hasDates, isDateWord, isRelative } from "./dates.ts";
import lists from "./words.json" with { type: "json" };

export interface Keyword extends Entry {
  readonly stem: string;
}

export interface Question {
  /** Folded, in their order. */
  readonly words: readonly string[];
  /** The first words with a space around each, so that `includes` finds phrases. */
  readonly line: string;
  readonly language: Language;
  readonly keywords: readonly Keyword[];
  readonly dates: Dates;
  /** Asks for what is coming up, without saying when, or by a word such as "tomorrow". */
  readonly asksForSchedule: boolean;
  readonly today: Date;
  /** Asks for the day of something. */
  readonly asksWhen: boolean;
  /** Asks for a place: to have a namespace of the name is no answer. */
  readonly asksWhere: boolean;
  readonly topics: number;
  /** It is written in a script in which none of our languages is. */
  readonly isUnreadable: boolean;
}

const MAX_KEYWORDS = 64;
/** Phrases are looked for at the beginning of a long question only. */
const MAX_LINE_WORDS = 100;

// Words of questions that say nothing about the subject. Those for a schedule count when nothing else does.
const SCHEDULE_WORDS = wordSet(lists.reading.scheduleWords);
const QUESTION_WORDS = wordSet(lists.reading.questionWords);
// Of a dog's name the dog is the subject, of "my name" the name.
const NAME = wordSet("name namen nom nombre nome");
const WHEN = wordSet(lists.reading.when);
const WHERE = wordSet(lists.reading.where);

export function readQuestion({ query: text, date }: Pick<PromptData, "query" | "date">): Question {
  const words = wordsOf(text);
  const named = datesIn(text, words);
  const language = languageOf(words, text) ?? "en";
  const keywords = keywordsOf(words, named, language);
  const wantsSchedule = words.some((word) => SCHEDULE_WORDS.has(word) || isRelative(word));
  const isAboutDays = wantsSchedule && keywords.length === 0 && !hasDates(named);
  const today = new Date(date);
  const dates = isAboutDays ? datesIn(text, words, today) : named;
  return {
    words,
    line: ` ${words.slice(0, MAX_LINE_WORDS).join(" ")} `,
    language,
    keywords,
    dates,
    asksForSchedule: isAboutDays && !hasDates(dates),
    today,
    asksWhen: hasDates(dates) || words.some((word) => WHEN.has(word)),
    asksWhere: words.some((word) => WHERE.has(word)),
    topics: keywords.reduce((topics, keyword) => topics | keyword.topics, 0),
    isUnreadable: words.length > 0 && !words.some((word) => /^[\p{sc=Latin}\d]/u.test(word)),
  };
}

function keywordsOf(words: readonly string[], dates: Dates, language: Language): Keyword[] {
  const isKeyword = (word: string): boolean =>
    word.length > 1 &&
    !(isFunctionWord(word, language) || QUESTION_WORDS.has(word) || SCHEDULE_WORDS.has(word) || isDateWord(word)) &&
    !(dates.days.length > 0 && /^\d/.test(word));
  const found = words.filter(isKeyword);
  const stems = new Set((found.length > 0 ? found : words.filter((word) => NAME.has(word))).map(stemOf));
  return [...stems].slice(0, MAX_KEYWORDS).map((stem) => ({ stem, ...lookUp(stem) }));
}

/** Phrases of folded words, each with a space at both ends, by their first word: most questions have few of those. */
export type PhraseList = ReadonlyMap<string, readonly string[]>;

export function phraseList(lines: readonly string[]): PhraseList {
  const phrases = lines.flatMap((line) => line.split("|"));
  const byFirstWord = Map.groupBy(phrases, (phrase) => phrase.split(" ", 1)[0] ?? "");
  return new Map([...byFirstWord].map(([word, group]) => [word, group.map((phrase) => ` ${phrase} `)]));
}

export const says = ({ words, line }: Question, phrases: PhraseList): boolean =>
  words.some((word) => phrases.get(word)?.some((phrase) => line.includes(phrase)));

export const beginsWith = ({ words, line }: Question, phrases: PhraseList): boolean =>
  phrases.get(words[0] ?? "")?.some((phrase) => line.startsWith(phrase)) ?? false;

// A memory as the model reads it.

export interface Note {
  /** Its place in the prompt, from 0. */
  readonly position: number;
  readonly namespace: string;
  readonly content: string;
  readonly date: string | undefined;
  readonly pinned: boolean;
  readonly stems: readonly string[];
  readonly synonyms: readonly number[];
  readonly topics: number;
  readonly namespaceStems: readonly string[];
  readonly namespaceTopics: number;
  /** Of its text; if that has none, its own. Read when a question is about dates, which few are. */
  dates(): Dates;
}

/** What is read of every memory: enough to say what it is about. */
const READ_OF_EACH = 2_000;
/** The first ones, which are the best, are read as a whole, up to so much together. */
const READ_IN_FULL = 24_000;

export function readNotes(memories: PromptData["memories"]): Note[] {
  const namespaces = new Map<string, NamespaceName>();
  let left = READ_IN_FULL;
  return memories.map(({ namespace, content, date, pinned = false }, position) => {
    const name = getOrInsert(namespaces, namespace, () => readName(namespace));
    const text = content.slice(0, Math.max(READ_OF_EACH, left));
    left -= text.length;
    const words = wordsOf(text);
    const stems = words.map(stemOf);
    const synonyms: number[] = [];
    let topics = 0;
    for (const stem of stems) {
      const entry = lookUp(stem);
      topics |= entry.topics;
      if (entry.synonym > 0) synonyms.push(entry.synonym);
    }
    return {
      position,
      namespace,
      content,
      date,
      pinned,
      stems,
      synonyms,
      topics,
      ...name,
      dates() {
        const dates = datesIn(text, words);
        return hasDates(dates) || date === undefined ? dates : { ...datesIn(date, []), areOwn: true };
      },
    };
  });
}

type NamespaceName = Pick<Note, "namespaceStems" | "namespaceTopics">;

function readName(namespace: string): NamespaceName {
  const namespaceStems = wordsOf(namespace).map(stemOf);
  return { namespaceStems, namespaceTopics: namespaceStems.reduce((all, stem) => all | lookUp(stem).topics, 0) };
}

export const namespacesOf = (notes: readonly Note[]): string[] => [...new Set(notes.map(({ namespace }) => namespace))];

export const isAboutAllergy = ({ topics }: Note): boolean => (topics & TOPICS.allergy) !== 0;
