// Safety rules. Allergies and pinned notes are told whenever food, drink, medicine or symptoms come up, and the model
// leaves every judgement to people who can make it.
import { isFunctionWord } from "#core/text/language.ts";
import { lookUp, TOPICS } from "#core/text/lexicon.ts";
import { areSimilar, stemOf, wordsOf } from "#core/text/stems.ts";
import { wordSet } from "#core/text/words.ts";
import { isDateWord } from "./dates.ts";
import type { Phrases } from "./phrases.ts";
import { beginsWith, isAboutAllergy, type Note, phraseList, type Question, says } from "./reading.ts";
import lists from "./words.json" with { type: "json" };

const SENSITIVE = TOPICS.food | TOPICS.drink | TOPICS.medicine | TOPICS.symptom | TOPICS.allergy;
const COMPLAINTS = TOPICS.symptom | TOPICS.mood;
const MAX_NOTES = 8;

const ASKING_LEAVE = phraseList(lists.safety.askingLeave);
// "Should I eat this?", but not "What should I know?".
const ASKING_ADVICE = phraseList(lists.safety.askingAdvice);
const CHANGING_MEDICINE = phraseList(lists.safety.changingMedicine);
const SWALLOWED = wordSet(lists.safety.swallowed);
const OTHERS = wordSet(lists.safety.others);
const ASKING =
  /[?？]|^\s*(?:what|when|where|who|why|how|which|is|are|do|does|can|should|was|wie|wann|que|quand|cosa|quando)\b/iu;

const SERVED = TOPICS.food | TOPICS.drink | TOPICS.medicine;

export const isSensitive = ({ topics }: Question): boolean => (topics & SENSITIVE) !== 0;

/** Whether a note brings up what can be swallowed, though the question did not. */
export const isAboutSomethingServed = ({ topics }: Note): boolean => (topics & SERVED) !== 0;

/** Allergies first, then whatever else is pinned. */
export function safetyNotes(notes: readonly Note[]): Note[] {
  const allergies = notes.filter(isAboutAllergy);
  return [...allergies, ...notes.filter((note) => note.pinned && !isAboutAllergy(note))].slice(0, MAX_NOTES);
}

/** What helpers should know in an emergency: the same, and medicines. */
export function notesForHelpers(notes: readonly Note[]): Note[] {
  const first = safetyNotes(notes);
  const medicines = notes.filter((note) => (note.topics & TOPICS.medicine) !== 0 && !first.includes(note));
  return [...first, ...medicines].slice(0, MAX_NOTES);
}

export const asksLeave = (question: Question): boolean =>
  isSensitive(question) && (beginsWith(question, ASKING_ADVICE) || says(question, ASKING_LEAVE));

export function mayHaveSwallowedAllergen({ words, keywords }: Question, notes: readonly Note[]): boolean {
  if (!words.some((word) => SWALLOWED.has(word))) return false;
  return notes.some((note) => isAboutAllergy(note) && keywords.some((keyword) => namesFood(note, keyword)));
}

function namesFood({ stems, synonyms }: Note, { stem, synonym, topics, named }: Question["keywords"][number]): boolean {
  const isFood = (topics & (TOPICS.food | TOPICS.drink)) !== 0 || topics === 0;
  return isFood && named === 0 && (stems.includes(stem) || (synonym > 0 && synonyms.includes(synonym)));
}

/** A complaint tells of a symptom or a low mood, and asks nothing. */
export const isComplaint = ({ topics }: Question, text: string): boolean =>
  (topics & COMPLAINTS) !== 0 && !ASKING.test(text);

export const asksAboutMedicine = (question: Question): boolean =>
  (question.topics & TOPICS.medicine) !== 0 && (asksLeave(question) || says(question, CHANGING_MEDICINE));

export const isAboutSomebodyElse = ({ words }: Question): boolean => words.some((word) => OTHERS.has(word));

/** Advice at the end of an answer to ask those who can judge. */
export function closingCaution(question: Question, phrases: Phrases): string | undefined {
  const { topics } = question;
  if (asksAboutMedicine(question)) return undefined;
  if ((topics & COMPLAINTS) !== 0) return phrases.seeDoctor;
  return asksLeave(question) && (topics & (TOPICS.food | TOPICS.drink)) !== 0 ? phrases.askBeforeEating : undefined;
}

// What a note about safety has in common with a note that answers the question: the allergy says "no satay", and the
// restaurant is known for its satay. The model points at the word and draws no conclusion.

const SHORTEST = 4;
const SEARCHED = 400;
const MEALS = wordSet(lists.safety.meals);

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
const ANYTHING = wordSet(lists.safety.anything);

/** What the question asks about an allergy to, when no note about an allergy has it. */
export function unknownAllergen({ line }: Question, notes: readonly Note[]): string | undefined {
  const word = ALLERGIC_TO.exec(line)?.[1];
  if (word === undefined || ANYTHING.has(word)) return undefined;
  const stem = stemOf(word);
  const isKnown = notes.some((note) => isAboutAllergy(note) && note.stems.some((other) => areSimilar(stem, other)));
  return isKnown ? undefined : word;
}
