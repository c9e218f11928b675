// Which of the notes answer a question. Ties keep the prompt's order, which is best first.

import { TOPICS } from "#core/text/lexicon.ts";
import { areSimilar, differByTypingError } from "#core/text/stems.ts";
import { wordSet } from "#core/text/words.ts";
import { type Dates, dateMatch, datesConflict, hasDates, isOver, NO_DATES } from "./dates.ts";
import { isAboutAllergy, type Keyword, type Note, namespacesOf, phraseList, type Question, says } from "./reading.ts";
import lists from "./words.json" with { type: "json" };

export interface Relevant {
  readonly notes: readonly Note[];
  /** No note has a word or a date of the question; these only belong to the same topic. */
  readonly areOnlyNear: boolean;
}

const MAX_NOTES = 3;
/** For a question about a date alone, or about what is coming up. */
const MAX_DATED = 5;
/** A note is told when its score is at least this share of the best one's. */
const LEAST_SHARE = 0.3;
const WEIGHT = { word: 1, similar: 0.9, synonym: 0.8, typingError: 0.7, namedTopic: 0.5, namespace: 0.5, topic: 0.2 };
/** Units of time are in many notes and questions, and seldom what a question is about. */
const UNITS = wordSet(lists.relevance.units);
const UNIT_SHARE = 0.3;
/** That two notes are about complaints does not make one an answer to the other. */
const COMPARED_TOPICS = ~TOPICS.symptom;

export function relevantNotes(question: Question, notes: readonly Note[]): Relevant {
  const relevant = bestNotes(question, notes);
  if (question.dates.days.length === 0 || !relevant.areOnlyNear) return relevant;
  // Nothing on that day: the rest of its month is near.
  const { notes: near } = bestNotes({ ...question, keywords: [], dates: { ...question.dates, days: [] } }, notes);
  return { notes: near, areOnlyNear: true };
}

function bestNotes(question: Question, notes: readonly Note[]): Relevant {
  if (question.asksForSchedule) {
    const isComing = (dates: Dates) => hasDates(dates) && !isOver(dates, question.today);
    return { notes: soonestFirst(notes.filter(({ dates }) => isComing(dates()))), areOnlyNear: false };
  }
  const isDateAlone = question.keywords.length === 0;
  const scored = scoresOf(question, notes);
  const best = scored.reduce((max, { score }) => Math.max(max, score), 0);
  const areOnlyNear = scored.every(({ isNear }) => isNear);
  const chosen = scored
    .filter(({ score, isNear }) => score > 0 && score >= best * LEAST_SHARE && isNear === areOnlyNear)
    .sort((a, b) => b.score - a.score);
  if (isDateAlone) return { notes: soonestFirst(chosen.map(({ note }) => note)), areOnlyNear };
  // Told in the order of the question's words, as a person would.
  const ordered = withoutSurplus(chosen).sort((a, b) => a.keyword - b.keyword);
  return { notes: ordered.map(({ note }) => note), areOnlyNear };
}

/** The best few. Notes about safety do not count: they are told beside the others. */
function withoutSurplus(chosen: readonly Scored[]): Scored[] {
  let count = 0;
  return chosen.filter(({ note }) => note.pinned || isAboutAllergy(note) || ++count <= MAX_NOTES);
}

interface Scored {
  readonly note: Note;
  readonly score: number;
  readonly isNear: boolean;
  readonly keyword: number;
}

function scoresOf(question: Question, notes: readonly Note[]): Scored[] {
  const strengths = question.keywords.map((keyword) => strengthsOf(keyword, notes, question));
  const asksForDate = hasDates(question.dates);
  return notes.map((note, i) => {
    const noted = asksForDate ? note.dates() : NO_DATES;
    if (asksForDate && datesConflict(question.dates, noted)) return { note, score: 0, isNear: true, keyword: 0 };
    const dated = asksForDate ? dateMatch(question.dates, noted) : 0;
    const strongest = strengths.reduce((max, list) => Math.max(max, list.raw[i] ?? 0), dated);
    const isNear = strongest <= WEIGHT.topic;
    // Beside a word that matches, the same topic adds nothing.
    const least = isNear ? 0 : WEIGHT.topic;
    const score = strengths.reduce(
      (sum, list) => sum + ((list.raw[i] ?? 0) > least ? (list.weighted[i] ?? 0) : 0),
      dated,
    );
    const first = strengths.findIndex((list) => (list.raw[i] ?? 0) >= WEIGHT.typingError);
    return { note, score, isNear, keyword: first === -1 ? strengths.length : first };
  });
}

/** A word that many notes have counts less. */
function strengthsOf(keyword: Keyword, notes: readonly Note[], { asksWhere }: Question) {
  let raw = notes.map((note) => strengthIn(note, keyword, asksWhere));
  if (raw.every((strength) => strength < WEIGHT.typingError)) {
    raw = notes.map((note, i) => Math.max(raw[i] ?? 0, hasTypingErrorOf(note, keyword) ? WEIGHT.typingError : 0));
  }
  const having = raw.filter((strength) => strength > WEIGHT.topic).length;
  const rarity = (UNITS.has(keyword.stem) ? UNIT_SHARE : 1) / Math.sqrt(Math.max(1, having));
  return { raw, weighted: raw.map((strength) => strength * rarity) };
}

function strengthIn(note: Note, { stem, synonym, topics, named }: Keyword, asksWhere: boolean): number {
  if (note.stems.includes(stem)) return WEIGHT.word;
  if (note.stems.some((other) => areSimilar(stem, other))) return WEIGHT.similar;
  if (synonym > 0 && note.synonyms.includes(synonym)) return WEIGHT.synonym;
  if (note.namespaceStems.some((other) => areSimilar(stem, other))) return asksWhere ? WEIGHT.topic : WEIGHT.namespace;
  const shared = (note.topics | note.namespaceTopics) & COMPARED_TOPICS;
  if ((named & shared) !== 0) return WEIGHT.namedTopic;
  return (topics & shared) !== 0 ? WEIGHT.topic : 0;
}

const hasTypingErrorOf = ({ stems }: Note, { stem }: Keyword): boolean =>
  stems.some((other) => differByTypingError(stem, other));

/** By month and day; notes with a weekday only come first. */
function soonestFirst(notes: readonly Note[]): Note[] {
  const key = (note: Note): number => {
    const { days, months } = note.dates();
    return (days[0] ?? (months[0] ?? 0) * 100) % 10_000;
  };
  return notes.slice(0, MAX_DATED).sort((a, b) => key(a) - key(b));
}

// Questions about everything, or about all of a namespace.

interface Group {
  readonly namespace: string;
  readonly notes: readonly Note[];
}

export type Summary =
  | { readonly kind: "everything"; readonly groups: readonly Group[] }
  | ({ readonly kind: "namespace" } & Group)
  /** The question says nothing about its subject. */
  | { readonly kind: "unclear" };

const MAX_OF_ALL = 12;
const MAX_OF_NAMESPACE = 8;

const ABOUT_EVERYTHING = phraseList(lists.relevance.aboutEverything);

/** Undefined when the question is about something in particular. */
export function summaryOf(question: Question, notes: readonly Note[]): Summary | undefined {
  if (question.keywords.length > 0) return summaryOfNamespace(question, notes);
  if (hasDates(question.dates) || question.asksForSchedule) return undefined;
  if (!says(question, ABOUT_EVERYTHING)) return { kind: "unclear" };
  const first = notes.slice(0, MAX_OF_ALL);
  const groups = namespacesOf(first).map((namespace) => ({
    namespace,
    notes: first.filter((note) => note.namespace === namespace),
  }));
  return { kind: "everything", groups };
}

/** A question whose keywords are all the name of one namespace. */
function summaryOfNamespace({ keywords, dates, asksWhere }: Question, notes: readonly Note[]): Summary | undefined {
  if (hasDates(dates) || asksWhere) return undefined;
  const named = notes.find(({ namespaceStems }) =>
    keywords.every(({ stem }) => namespaceStems.some((other) => areSimilar(stem, other))),
  );
  if (named === undefined) return undefined;
  const { namespace } = named;
  return {
    kind: "namespace",
    namespace,
    notes: notes.filter((note) => note.namespace === namespace).slice(0, MAX_OF_NAMESPACE),
  };
}
