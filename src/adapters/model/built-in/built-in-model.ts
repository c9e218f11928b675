// The built-in model. It answers from the memories of the prompt, in whole sentences, and never invents: what it says
// about the person is quoted. It is deterministic and uses no network and no clock.
import { setTimeout as delay } from "node:timers/promises";
import { anyOf } from "#core/names/nearest-name.ts";
import { possibleEmergency } from "#core/prompt/emergency.ts";
import { type Prompt, readPrompt } from "#core/prompt/prompt.ts";
import { COMPANION, HELP_WAS_URGED } from "#core/prompt/template.ts";
import { TOPICS } from "#core/text/lexicon.ts";
import type { LanguageModel } from "#ports.ts";
import { builtInCompletions } from "./built-in-completions.ts";
import { isRelative } from "./dates.ts";
import { createNarration, type Narration } from "./narration.ts";
import { CANNOT_READ, fill, PHRASES, type Phrases, type Voice } from "./phrases.ts";
import { type Note, namespacesOf, type Question, readNotes, readQuestion } from "./reading.ts";
import { type Relevant, relevantNotes, summaryOf } from "./relevance.ts";
import * as safety from "./safety.ts";
import { smallTalk } from "./small-talk.ts";

const NAME = "portcullis-extractive-2";

export function builtInModel(): LanguageModel {
  return {
    name: NAME,
    async complete(prompt, { fence, signal, onText, atReadersPace = false }) {
      signal?.throwIfAborted();
      // Nothing leaves the process here. But every model passes the fence, so that the rule has no exception.
      await fence(() => undefined);
      const { text, cited } = answerTo(prompt);
      if (onText !== undefined && atReadersPace) await writeSlowly(text, onText, signal);
      else onText?.(text);
      return { text, model: NAME, cited };
    },
    completions: builtInCompletions(NAME, answerTo),
  };
}

/** About as fast as people read aloud, so that a gate can be closed in the middle. */
const WORD_MS = 90;
const LONGEST_MS = 8_000;

async function writeSlowly(text: string, onText: (piece: string) => void, signal?: AbortSignal): Promise<void> {
  const words = text.match(/\S*\s*/g) ?? [];
  const pauseMs = Math.min(WORD_MS, LONGEST_MS / words.length);
  for (const word of words) {
    if (word !== "") onText(word);
    await delay(pauseMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}

/** An emergency first, then small talk, then what the notes say, then what to be careful about. */
export function answerTo(prompt: Prompt): ReturnType<Narration["end"]> {
  const { memories, query, date } = readPrompt(prompt);
  const voice: Voice = prompt.system.startsWith(COMPANION) ? "companion" : "assistant";
  const question = readQuestion({ query, date });
  const emergency = possibleEmergency(query);
  const phrases = PHRASES[emergency?.language ?? question.language];
  const asked = { query, question, notes: readNotes(memories), phrases };
  const narration = createNarration(question, phrases);
  if (emergency === undefined) answer(asked, voice, narration);
  else {
    if (!prompt.system.includes(HELP_WAS_URGED)) narration.say(emergency.advice);
    narration.beginParagraph();
    if (emergency.kind === "self-harm") narration.say(phrases.notAlone);
    else tellHelpers(asked, narration);
  }
  return narration.end();
}

function tellHelpers({ question, notes, phrases }: Asked, narration: Narration): void {
  const useful = safety.isAboutSomebodyElse(question) ? [] : safety.notesForHelpers(notes);
  if (useful.length === 0) narration.say(phrases.tellHelpersInGeneral);
  else narration.quoteAfter(phrases.tellHelpers, useful);
}

function answer(asked: Asked, voice: Voice, narration: Narration): void {
  const { query, question, notes, phrases } = asked;
  const reply = smallTalk(question, phrases, voice);
  if (reply !== undefined) {
    narration.say(reply);
    return;
  }
  if (voice === "companion" && safety.isComplaint(question, query)) narration.say(phrases.sorry);
  if (safety.asksAboutMedicine(question)) narration.say(phrases.askAboutMedicine);
  if (notes.length === 0) narration.say(phrases.noNotes);
  else if (!summarise(asked, narration)) answerFromNotes(asked, narration);
  narration.say(safety.closingCaution(question, phrases));
}

function summarise({ question, notes, phrases }: Asked, narration: Narration): boolean {
  const summary = summaryOf(question, notes);
  if (summary === undefined) return false;
  if (summary.kind === "unclear")
    narration.say(phrases.unclear, fill(phrases.notesOn, anyOf(namespacesOf(notes), phrases.and)));
  else if (summary.kind === "namespace") narration.quoteUnder(fill(phrases.about, summary.namespace), summary.notes);
  else {
    narration.say(phrases.everything);
    for (const { namespace, notes: group } of summary.groups) {
      narration.beginParagraph();
      narration.quoteUnder(`${namespace}:`, group);
    }
  }
  return true;
}

interface Asked {
  readonly query: string;
  readonly question: Question;
  readonly notes: readonly Note[];
  readonly phrases: Phrases;
}

/** What bears on the question, and what must be said whenever its topic comes up. */
function answerFromNotes(asked: Asked, narration: Narration): void {
  const { question, notes, phrases } = asked;
  const relevant = relevantNotes(question, notes);
  // What the model cannot read may be about anything, so it tells what could matter.
  const isGuess = question.isUnreadable && relevant.areOnlyNear;
  const swallowed = safety.mayHaveSwallowedAllergen(question, notes);
  const comesUp = !relevant.areOnlyNear && relevant.notes.some(safety.isAboutSomethingServed);
  const warnings = safety.isSensitive(question) || isGuess || swallowed || comesUp ? safety.safetyNotes(notes) : [];
  if (isGuess) {
    narration.say(CANNOT_READ);
    narration.quoteAfter(phrases.keepInMind, warnings);
    tellNearest(asked, narration);
    return;
  }
  if (swallowed) {
    narration.say(phrases.ifAnyReaction);
    narration.quoteAfter(phrases.keepInMind, warnings);
    return;
  }
  const allergen = safety.unknownAllergen(question, notes);
  if (allergen !== undefined) narration.say(fill(phrases.noSuchAllergy, allergen));

  const direct = relevant.notes.filter((note) => !warnings.includes(note));
  // A note about safety that is itself the answer needs no words of its own before it.
  const isAsked = relevant.notes.some((note) => warnings.includes(note)) && !relevant.areOnlyNear;
  if (direct.length === 0 && isAsked && !speaksAgainst(question)) narration.quote(warnings);
  else if (speaksAgainst(question)) {
    narration.quoteAfter(phrases.keepInMind, warnings);
    tellDirect(asked, { ...relevant, notes: direct }, narration);
  } else {
    tellDirect(asked, { ...relevant, notes: direct }, narration);
    narration.quoteAfter(phrases.keepInMind, warnings);
  }
  const subject = safety.sharedSubject(warnings, direct);
  if (subject !== undefined) narration.say(fill(phrases.mentionedTwice, subject));
}

/** Who asks for leave to eat or drink hears first what speaks against it. */
const speaksAgainst = (question: Question): boolean =>
  safety.asksLeave(question) &&
  !safety.asksAboutMedicine(question) &&
  (question.topics & (TOPICS.food | TOPICS.drink)) !== 0;

function tellDirect(asked: Asked, found: Relevant, narration: Narration): void {
  const { query, question, notes, phrases } = asked;
  if (found.notes.length === 0) {
    const isAnswered = safety.isSensitive(question) && safety.safetyNotes(notes).length > 0;
    if (!isAnswered && !safety.isComplaint(question, query)) tellNearest(asked, narration);
  } else if (found.areOnlyNear) {
    if (!safety.isComplaint(question, query)) narration.say(phrases.unknown);
    narration.quoteAfter(safety.isComplaint(question, query) ? phrases.mayBear : phrases.nearest, found.notes);
  } else if (question.asksForSchedule && question.words.some(isRelative)) {
    narration.quoteAfter(phrases.allDates, found.notes);
  } else narration.quote(found.notes);
}

/** Nothing matches. The prompt has the best first, so its first note is the nearest, unless its topic is another one. */
function tellNearest({ question, notes, phrases }: Asked, narration: Narration): void {
  const canBeNear = question.topics === 0 && question.keywords.length > 0;
  const nearest = canBeNear ? (notes.find(({ pinned }) => !pinned) ?? notes[0]) : undefined;
  if (!question.isUnreadable) narration.say(phrases.unknown);
  if (nearest !== undefined) narration.quoteAfter(phrases.nearest, [nearest]);
  const others = namespacesOf(notes).filter((namespace) => namespace !== nearest?.namespace);
  if (others.length === 0) return;
  narration.say(fill(nearest === undefined ? phrases.notesOn : phrases.alsoNotesOn, anyOf(others, phrases.and)));
}
