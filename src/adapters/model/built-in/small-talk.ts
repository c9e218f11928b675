// Small talk: greetings, thanks, and questions about the model itself. It needs no memory.
import { wordSet } from "#core/text/words.ts";
import type { Phrases, Voice } from "./phrases.ts";
import { beginsWith, phraseList, type Question, says } from "./reading.ts";
import lists from "./words.json" with { type: "json" };

const GREETINGS = wordSet(lists.smallTalk.greetings);
const THANKS = wordSet(lists.smallTalk.thanks);
const THANKING = wordSet(lists.smallTalk.thanking);
const FAREWELLS = wordSet(lists.smallTalk.farewells);
const LEAVING = wordSet(lists.smallTalk.leaving);

const HOW_ARE_YOU = phraseList(lists.smallTalk.howAreYou);
const WHO_ARE_YOU = phraseList(lists.smallTalk.whoAreYou);
const WHAT_CAN_YOU_DO = phraseList(lists.smallTalk.whatCanYouDo);
const WRITING = phraseList(lists.smallTalk.writing);

const LONGEST_GREETING = 8;
const LONGEST_ADDRESS = 9;

export function smallTalk(question: Question, phrases: Phrases, voice: Voice): string | undefined {
  const { words: said } = question;
  if (said.length <= LONGEST_GREETING) {
    if (said.every((word) => GREETINGS.has(word)) && said.length > 0) return phrases.hello[voice];
    if (said.some((word) => THANKING.has(word)) && said.every((word) => THANKS.has(word) || GREETINGS.has(word)))
      return phrases.thanks[voice];
    if (said.some((word) => LEAVING.has(word)) && said.every((word) => FAREWELLS.has(word))) return phrases.goodbye;
    if (says(question, HOW_ARE_YOU)) return phrases.howAreYou;
  }
  if (said.length <= LONGEST_ADDRESS) {
    if (says(question, WHO_ARE_YOU)) return phrases.identity[voice];
    if (says(question, WHAT_CAN_YOU_DO) || question.line === " help ") return phrases.abilities[voice];
  }
  return beginsWith(question, WRITING) ? phrases.cannotWrite : undefined;
}
