// The first person as the third: "I'm allergic to nuts" becomes "The user is allergic to nuts." Only closed lists of words
// are changed. A sentence whose verb is not in them gives nothing.
import { ADVERBS, DATED, EVENTS, HABITS, MODALS, PRESENT } from "./vocabulary.ts";

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bI['’]m\b/giu, "I am"],
  [/\bI['’]ve\b/giu, "I have"],
  [/\bI['’]ll\b/giu, "I will"],
  [/\bdon['’]t\b/giu, "do not"],
  [/\bhaven['’]t\b/giu, "have not"],
  [/\b(is|was|are|were|has|does|did)n['’]t\b/giu, "$1 not"],
  [/\bcan['’]t\b/giu, "cannot"],
  [/\b(name|birthday)['’]s (?=\p{L}|\d)/giu, "$1 is "],
];

export const expanded = (sentence: string): string =>
  CONTRACTIONS.reduce((text, [pattern, full]) => text.replace(pattern, full), sentence.replaceAll("’", "'"));

const WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['-][\p{L}\p{N}]+)*/gu;
export const wordsIn = (text: string): string[] => text.match(WORDS) ?? [];

/** `sentence` is expanded. `name` is the person's, "the user" for example. */
export function inThirdPerson(sentence: string, name: string): string | undefined {
  const isSubject = /^I\b/u.test(sentence);
  const person: Readonly<Record<string, string>> = isSubject
    ? { me: "them", my: "their", mine: "theirs", myself: "themselves" }
    : { me: name, my: `${name}'s`, mine: `${name}'s`, myself: name };
  const words = [...sentence.matchAll(WORDS)];
  let [text, at] = ["", 0];
  let isPresent = false;
  let isVerbNext = false;
  for (const [i, match] of words.entries()) {
    const [word] = match;
    const key = word.toLowerCase();
    let said = word;
    if (word === "I" || (key === "i" && word.length === 1)) {
      said = name;
      isVerbNext = true;
    } else if (isVerbNext && !ADVERBS.has(key)) {
      const verb = conjugated(key);
      if (verb === undefined) return undefined;
      isPresent = verb !== key && key !== "am";
      isVerbNext = false;
      said = verb;
    } else if (isPresent && /^(?:and|or|but)$/u.test(words[i - 1]?.[0] ?? "") && isVerb(key, words[i + 1]?.[0]))
      said = conjugated(key) ?? word;
    else if (Object.hasOwn(person, key)) said = person[key] ?? word;
    text += sentence.slice(at, match.index) + said;
    at = match.index + word.length;
  }
  if (isVerbNext) return undefined;
  return asSentence(text + sentence.slice(at));
}

/** "I live in Rome and work as a nurse": after "and" a word is a verb only if what follows can follow one. */
const isVerb = (key: string, next = ""): boolean =>
  HABITS.has(key) && /^(?:a|an|the|my|in|at|as|for|to|with|on|from)$/iu.test(next);

function conjugated(key: string): string | undefined {
  if (key === "am") return "is";
  if (key === "have" || key === "do") return key === "have" ? "has" : "does";
  if (key === "was" || key === "had" || key === "did" || MODALS.has(key)) return key;
  if (EVENTS.has(key)) return key;
  if (PRESENT.has(key)) return withS(key);
  return DATED.has(key) ? key : undefined;
}

function withS(verb: string): string {
  if (/[^aeiou]y$/u.test(verb)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh|go)$/u.test(verb) ? `${verb}es` : `${verb}s`;
}

export const isVerbOfFact = (key: string): boolean =>
  /^(?:is|are|was|were|has|have|had|does|did|will)$/u.test(key) || FINITE.has(key) || EVENTS.has(key) || DATED.has(key);

const FINITE: ReadonlySet<string> = new Set([...PRESENT].flatMap((verb) => [verb, withS(verb)]));

export function asSentence(text: string): string {
  const trimmed = text.trim().replace(/[\s,;:!.…-]+$/u, "");
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}.`;
}
