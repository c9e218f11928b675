// The story of an answer: an emergency first, then small talk, then what the notes say, then what to be careful about.
import { possibleEmergency } from "#core/prompt/emergency/emergency.ts";
import type { Language } from "#core/prompt/language.ts";
import { COMPANION, HELP_WAS_URGED } from "#core/prompt/persona.ts";
import { type Prompt, readPrompt } from "#core/prompt/prompt.ts";
import { type Asked, giveAccount } from "./account.ts";
import { createNarration, type Narration } from "./narration.ts";
import { de } from "./phrases/de.ts";
import { en } from "./phrases/en.ts";
import { es } from "./phrases/es.ts";
import { fr } from "./phrases/fr.ts";
import { it } from "./phrases/it.ts";
import type { Phrases, Voice } from "./phrases/phrases.ts";
import { namespacesOf, readNotes } from "./reading/notes.ts";
import { readQuestion } from "./reading/question.ts";
import { asksAboutMedicine, closingCaution, isAboutSomebodyElse, isComplaint, notesForHelpers } from "./safety.ts";
import { smallTalk } from "./small-talk.ts";
import { summaryOf } from "./summary.ts";

const PHRASES: Readonly<Record<Language, Phrases>> = { en, de, fr, es, it };

export interface BuiltInAnswer {
  readonly text: string;
  /** Positions in the prompt of what is quoted, ascending. */
  readonly cited: readonly number[];
}

export function answerTo(prompt: Prompt): BuiltInAnswer {
  const { memories, query } = readPrompt(prompt);
  const voice: Voice = prompt.system.startsWith(COMPANION) ? "companion" : "assistant";
  const question = readQuestion(query);
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
  const useful = isAboutSomebodyElse(question) ? [] : notesForHelpers(notes);
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
  if (voice === "companion" && isComplaint(question, query)) narration.say(phrases.sorry);
  if (asksAboutMedicine(question)) narration.say(phrases.askAboutMedicine);
  if (notes.length === 0) narration.say(phrases.noNotes);
  else if (!summarise(asked, narration)) giveAccount(asked, narration);
  narration.say(closingCaution(question, phrases));
}

/** Answers a question about everything, or about all of a namespace. */
function summarise({ question, notes, phrases }: Asked, narration: Narration): boolean {
  const summary = summaryOf(question, notes);
  if (summary === undefined) return false;
  if (summary.kind === "unclear") narration.say(phrases.unclear, phrases.notesOn(phrases.list(namespacesOf(notes))));
  else if (summary.kind === "namespace") narration.quoteUnder(phrases.about(summary.namespace), summary.notes);
  else {
    narration.say(phrases.everything);
    for (const { namespace, notes: group } of summary.groups) {
      narration.beginParagraph();
      narration.quoteUnder(`${namespace}:`, group);
    }
  }
  return true;
}
