// A question as the ranking reads it.
import { type CalendarDate, dateTerms, questionDates, weekdayTerms } from "#core/text/dates.ts";
import { termOf, wordSet, wordsOf } from "#core/text/words.ts";
import { type Turn, withNames } from "./conversation.ts";
import questionWords from "./question-words.json" with { type: "json" };

export type Embed = (text: string) => Int8Array | undefined;

export interface QuestionTerm {
  readonly term: string;
  /** Says something about the subject: a date, or a word that is no question word. */
  readonly isContent: boolean;
  /** From 0 to 1. */
  readonly weight: number;
}

export interface Question {
  /** Distinct, in the question's order. Scores are summed in this order, so that sums agree to the last bit. */
  readonly terms: readonly QuestionTerm[];
  readonly dates: readonly CalendarDate[];
  readonly vector: Int8Array | undefined;
  /** From the sentence model, if there is one and it was in time. */
  readonly sentenceVector?: Int8Array | undefined;
  /** "What do you know about me?" */
  readonly isAboutEverything: boolean;
  readonly hasManySubjects?: boolean | undefined;
}

/** More words cost more than they find. */
export const MAX_TERMS = 64;

/** Of question words, and of what the turns before a question say beside names: most of it has been answered. */
const SMALL_WEIGHT = 0.2;

/** `turns` are those before the question, oldest first. */
export function readQuestion(
  query: string,
  now: Date,
  embed: Embed = () => undefined,
  turns: readonly Turn[] = [],
): Question {
  const text = withNames(query, turns);
  const words = wordsOf(text);
  const earlier = wordsOf(
    turns
      .map(({ content }) => content)
      .toReversed()
      .join("\n"),
  );
  const dates = questionDates(text, words, now);
  const terms = createTermList();
  for (const term of dateTerms(dates)) terms.add(term, true);
  for (const term of weekdayTerms(words)) terms.add(term, true);
  for (const word of words) {
    const ofQuestionWord = QUESTION_TERMS.get(word);
    if (ofQuestionWord === undefined) terms.add(termOf(word), true);
    else terms.add(ofQuestionWord, false, SMALL_WEIGHT);
  }
  for (const word of earlier) if (!isQuestionWord(word)) terms.add(termOf(word), true, SMALL_WEIGHT);
  const isAboutEverything = asksForEverything([...words, ...earlier]);
  return { terms: terms.list, dates, vector: embed(text), isAboutEverything };
}

/** Distinct terms. One that is content somewhere is content, and has the greater weight. */
function createTermList() {
  const list: QuestionTerm[] = [];
  return {
    list: list as readonly QuestionTerm[],
    add(term: string, isContent: boolean, weight = 1): void {
      for (let i = 0; i < list.length; i++) {
        const known = list[i] as QuestionTerm;
        if (known.term !== term) continue;
        if (isContent && !known.isContent) list[i] = { term, isContent, weight: Math.max(weight, known.weight) };
        return;
      }
      if (list.length < MAX_TERMS) list.push({ term, isContent, weight });
    },
  };
}

// Words that ask for a memory as such, in five languages.
const ABOUT_MEMORY = wordSet(questionWords.aboutMemory);
const ABOUT_THE_PERSON = wordSet(questionWords.aboutThePerson);

/** Nothing but question words and words about memory, and at least one of the latter with nothing else to go by. */
function asksForEverything(words: readonly string[]): boolean {
  if (words.length === 0 || words.length > 12) return false;
  const isGeneral = words.every((word) => isQuestionWord(word) || ABOUT_MEMORY.has(word) || ABOUT_THE_PERSON.has(word));
  return isGeneral && words.some((word) => ABOUT_MEMORY.has(word));
}

// Question words: words of any question, which say little about its subject. They are weighed down and not deleted,
// because each can be the subject ("may" is a month, "can" holds beans, "will" is a name).

// Words that mean something else in English ("die", "war", "son") are left out of the other languages.

/** Each with its term: half of a question's words are among these, and a look-up is faster than stemming. */
const QUESTION_TERMS: ReadonlyMap<string, string> = new Map(
  Object.values(questionWords.ofQuestions)
    .flatMap((lines) => lines.join(" ").split(" "))
    .map((word) => [word, termOf(word)]),
);

/** Of a word as `wordsOf` gives it. */
export const isQuestionWord = (word: string): boolean => QUESTION_TERMS.has(word);
