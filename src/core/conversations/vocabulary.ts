// Closed lists of English words: what may be the predicate of a fact about a person. What is not listed is not proposed.
import { wordSet } from "#core/text/words.ts";
import words from "./vocabulary.json" with { type: "json" };

const setOf = (lines: readonly string[]) => wordSet(lines.join(" "));

/** Present tense: a state or a habit. */
export const HABITS = setOf(words.habits);
/** Present tense, but also for a single time: these need a date. */
const PLANS = setOf(words.plans);
/** Past tense: an event of a life. */
export const EVENTS = setOf(words.events);
/** Past tense, and often about nothing that lasts: these need a date. */
const DEEDS = setOf(words.deeds);

export const DATED = new Set([...PLANS, ...DEEDS]);
export const PRESENT = new Set([...HABITS, ...PLANS, ...wordSet("want hope know think feel have do")]);
export const MODALS = setOf(words.modals);
export const ADVERBS = setOf(words.adverbs);

/** What "I am …" may go on with. */
export const TRAITS = setOf(words.traits);
export const DOINGS = setOf(words.doings);
export const DATED_DOINGS = setOf(words.datedDoings);

/** "I have a …" of these is no fact. */
export const PASSING = setOf(words.passing);

export const RELATIONS = setOf(words.relations);

/** Words that point at something outside of the sentence. */
export const UNRESOLVED = setOf(words.unresolved);
export const PERSONS = setOf(words.persons);
/** A guess, a wish or an instruction is no fact. */
export const UNCERTAIN = setOf(words.uncertain);
