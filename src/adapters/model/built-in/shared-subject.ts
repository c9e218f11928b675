// What a note about safety has in common with a note that answers the question: the allergy says "no satay", and the
// restaurant is known for its satay. The model points at the word and draws no conclusion.

import { isFunctionWord } from "#core/prompt/language.ts";
import { isDateWord } from "./reading/dates.ts";
import { lookUp, TOPICS } from "./reading/lexicon.ts";
import { isAboutAllergy, type Note } from "./reading/notes.ts";
import type { Question } from "./reading/question.ts";
import { areSimilar, stemOf, wordsOf } from "./reading/words.ts";

const SHORTEST = 4;
const SEARCHED = 400;
const MEALS = new Set("dinner lunch breakfast supper restaurant dessert kitchen menu".split(" "));

/** A word that a note about an allergy shares with one that answers the question. */
export function sharedSubject(safety: readonly Note[], direct: readonly Note[]): string | undefined {
  for (const { content } of safety.filter(isAboutAllergy)) {
    const word = wordsOf(content.slice(0, SEARCHED)).find(
      (candidate) => isSubject(candidate) && direct.some(({ stems }) => stems.includes(stemOf(candidate))),
    );
    if (word !== undefined) return word;
  }
  return undefined;
}

/** Something to eat, drink or take, or a word that the lexicon does not have. The name of a meal is no subject. */
function isSubject(word: string): boolean {
  if (word.length < SHORTEST || isFunctionWord(word, "en") || isDateWord(word) || MEALS.has(word)) return false;
  const { topics, named, synonym } = lookUp(stemOf(word));
  const isUnknown = topics === 0 && synonym === 0;
  return named === 0 && (isUnknown || (topics & (TOPICS.food | TOPICS.drink | TOPICS.medicine)) !== 0);
}

const ALLERGIC_TO = /\ballerg(?:ic|y) to ([a-z]{3,24})\b/i;
const ANYTHING = new Set("anything something any what whatever the some certain food foods".split(" "));

/** What the question asks about an allergy to, when no note about an allergy has it. */
export function unknownAllergen({ line }: Question, notes: readonly Note[]): string | undefined {
  const word = ALLERGIC_TO.exec(line)?.[1];
  if (word === undefined || ANYTHING.has(word)) return undefined;
  const stem = stemOf(word);
  const isKnown = notes.some((note) => isAboutAllergy(note) && note.stems.some((other) => areSimilar(stem, other)));
  return isKnown ? undefined : word;
}
