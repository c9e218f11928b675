// Closed lists of English words: what may be the predicate of a fact about a person. What is not listed is not proposed.
import { wordSet } from "#core/text/words.ts";
import words from "./vocabulary.json" with { type: "json" };

/** Present tense: a state or a habit. */
export const HABITS = wordSet(words.habits);
/** Present tense, but also for a single time: these need a date. */
const PLANS = wordSet(words.plans);
/** Past tense: an event of a life. */
export const EVENTS = wordSet(words.events);
/** Past tense, and often about nothing that lasts: these need a date. */
const DEEDS = wordSet(words.deeds);

export const DATED = new Set([...PLANS, ...DEEDS]);
export const PRESENT = new Set([...HABITS, ...PLANS, ...wordSet("want hope know think feel have do")]);
export const MODALS = wordSet(words.modals);
export const ADVERBS = wordSet(words.adverbs);

/** What "I am …" may go on with. */
export const TRAITS = wordSet(words.traits);
export const DOINGS = wordSet(words.doings);
export const DATED_DOINGS = wordSet(words.datedDoings);

/** "I have a …" of these is no fact. */
export const PASSING = wordSet(words.passing);

export const RELATIONS = wordSet(words.relations);

/** Words that point at something outside of the sentence. */
export const UNRESOLVED = wordSet(words.unresolved);
export const PERSONS = wordSet(words.persons);
/** A guess, a wish or an instruction is no fact. */
export const UNCERTAIN = wordSet(words.uncertain);
