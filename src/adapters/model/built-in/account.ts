// What the notes say on a question: what bears on it, and what must be told whenever its topic comes up.

import type { Narration } from "./narration.ts";
import { CANNOT_READ } from "./phrases/en.ts";
import type { Phrases } from "./phrases/phrases.ts";
import { hasDates, isRelative } from "./reading/dates.ts";
import { TOPICS } from "./reading/lexicon.ts";
import { type Note, namespacesOf } from "./reading/notes.ts";
import type { Question } from "./reading/question.ts";
import { type Relevant, relevantNotes } from "./relevance.ts";
import {
  asksAboutMedicine,
  asksLeave,
  isAboutSomethingServed,
  isComplaint,
  isSensitive,
  mayHaveSwallowedAllergen,
  safetyNotes,
} from "./safety.ts";
import { sharedSubject, unknownAllergen } from "./shared-subject.ts";

export interface Asked {
  readonly query: string;
  readonly question: Question;
  readonly notes: readonly Note[];
  readonly phrases: Phrases;
}

export function giveAccount(asked: Asked, narration: Narration): void {
  const { question, notes, phrases } = asked;
  const relevant = relevantNotes(question, notes);
  // What the model cannot read may be about anything, so it tells what could matter.
  const isGuess = question.isUnreadable && relevant.areOnlyNear;
  const swallowed = mayHaveSwallowedAllergen(question, notes);
  const comesUp = !relevant.areOnlyNear && relevant.notes.some(isAboutSomethingServed);
  const safety = isSensitive(question) || isGuess || swallowed || comesUp ? safetyNotes(notes) : [];
  if (isGuess) {
    narration.say(CANNOT_READ);
    narration.quoteAfter(phrases.keepInMind, safety);
    tellNearest(question, notes, phrases, narration);
    return;
  }
  if (swallowed) {
    narration.say(phrases.ifAnyReaction);
    narration.quoteAfter(phrases.keepInMind, safety);
    return;
  }
  const allergen = unknownAllergen(question, notes);
  if (allergen !== undefined) narration.say(phrases.noSuchAllergy(allergen));

  const direct = relevant.notes.filter((note) => !safety.includes(note));
  // A note about safety that is itself the answer needs no words of its own before it.
  const isAsked = relevant.notes.some((note) => safety.includes(note)) && !relevant.areOnlyNear;
  if (direct.length === 0 && isAsked && !speaksAgainst(question)) narration.quote(safety);
  else if (speaksAgainst(question)) {
    narration.quoteAfter(phrases.keepInMind, safety);
    tellDirect(asked, { ...relevant, notes: direct }, narration);
  } else {
    tellDirect(asked, { ...relevant, notes: direct }, narration);
    narration.quoteAfter(phrases.keepInMind, safety);
  }
  const subject = sharedSubject(safety, direct);
  if (subject !== undefined) narration.say(phrases.mentionedTwice(subject));
}

/** Who asks for leave to eat or drink hears first what speaks against it. */
const speaksAgainst = (question: Question): boolean =>
  asksLeave(question) && !asksAboutMedicine(question) && (question.topics & (TOPICS.food | TOPICS.drink)) !== 0;

function tellDirect({ query, question, notes, phrases }: Asked, found: Relevant, narration: Narration): void {
  if (found.notes.length === 0) {
    const isAnswered = isSensitive(question) && safetyNotes(notes).length > 0;
    if (!isAnswered && !isComplaint(question, query)) tellNearest(question, notes, phrases, narration);
  } else if (found.areOnlyNear) {
    if (!isComplaint(question, query)) narration.say(phrases.unknown);
    narration.quoteAfter(isComplaint(question, query) ? phrases.mayBear : phrases.nearest, found.notes);
  } else if (question.asksForSchedule && question.words.some(isRelative) && !hasDates(question.dates)) {
    narration.quoteAfter(phrases.noClock, found.notes);
  } else narration.quote(found.notes);
}

/** Nothing matches. The prompt has the best first, so its first note is the nearest, unless its topic is another one. */
function tellNearest(
  { topics, keywords, isUnreadable }: Question,
  notes: readonly Note[],
  phrases: Phrases,
  narration: Narration,
): void {
  const canBeNear = topics === 0 && keywords.length > 0;
  const nearest = canBeNear ? (notes.find(({ pinned }) => !pinned) ?? notes[0]) : undefined;
  if (!isUnreadable) narration.say(phrases.unknown);
  if (nearest !== undefined) narration.quoteAfter(phrases.nearest, [nearest]);
  const others = namespacesOf(notes).filter((namespace) => namespace !== nearest?.namespace);
  if (others.length === 0) return;
  const names = phrases.list(others);
  narration.say(nearest === undefined ? phrases.notesOn(names) : phrases.alsoNotesOn(names));
}
