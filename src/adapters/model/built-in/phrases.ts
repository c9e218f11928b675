// The model's own words, in five languages. They hold nothing about the person: that is always quoted. `{}` is where a
// text is put in; `say` stands before the first quotation, the second, and the others; `cannotWrite` replies to
// "remember this".
import type { Language } from "#core/text/language.ts";
import phrases from "./phrases.json" with { type: "json" };

export type Phrases = (typeof phrases)["en"];

/** Who speaks: the health companion, or the assistant that every other agent is. */
export type Voice = keyof Phrases["hello"];

export const PHRASES: Readonly<Record<Language, Phrases>> = phrases;

/** To a question in another script. There is no translation: this is only said in English. */
export const CANNOT_READ = "I'm sorry, I don't read this language well.";

export const fill = (phrase: string, text: string): string => phrase.replace("{}", () => text);
