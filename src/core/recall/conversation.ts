// A question with the turns before it: "When does it leave?" after "Tell me about my trip to Lisbon."
import { LIMITS } from "#core/encoding/text-validation.ts";

export interface Turn {
  readonly role: "user" | "assistant";
  readonly content: string;
}

export interface SearchedText {
  readonly query: string;
  /** The turns before it, oldest first. */
  readonly messages?: readonly Turn[] | undefined;
  /** It has many subjects: what bears on one of them counts, however much more bears on another. */
  readonly hasManySubjects?: boolean | undefined;
}

export const MOST_TURNS = 10;

/** Few, so that an earlier subject does not outweigh the question. */
const LAST_TURNS = 4;
const TURN_CHARACTERS = 500;

/** The last of the turns before a question, cut. Of a long question none: it speaks for itself. */
export function lastTurns(turns: readonly Turn[], query: string): Turn[] {
  const last = turns
    .map(({ role, content }) => ({ role, content: beginningOf(content, TURN_CHARACTERS) }))
    .filter(({ content }) => content !== "")
    .slice(-LAST_TURNS);
  return Array.from(askedText(query, last)).length > LIMITS.query ? [] : last;
}

/** The beginning of a text as a question may hold it; empty if it has no words. */
export const beginningOf = (text: string, characters: number): string => askable(text, 0, characters);

/** The same of its end. */
export const endOf = (text: string, characters: number): string => askable(text, -characters);

function askable(text: string, from: number, to?: number): string {
  const taken = Array.from(text.toWellFormed().replace(CONTROL_BUT_LAYOUT, " ")).slice(from, to).join("");
  return taken.trim() === "" ? "" : taken;
}

const CONTROL_BUT_LAYOUT = /[^\P{Cc}\t\n\r]/gu;

/**
 * The question as it is asked: alone, or with the turns before it, one a line. A receipt commits to this text, a prompt
 * holds it, and docs/api.md shows it.
 */
export function askedText(query: string, messages: readonly Turn[] = []): string {
  if (messages.length === 0) return query;
  return [...messages, { role: "user" as const, content: query }].map(lineOf).join("\n");
}

const NAMES = { user: "Me", assistant: "You" } as const;

const lineOf = ({ role, content }: Turn): string => `${NAMES[role]}: ${content.replaceAll(/\s+/g, " ").trim()}`;

/** A capital letter within a sentence. Where nouns have one, they count as names. */
const NAME = /(?<=[\p{L}\p{N},;:'’)]\s{1,3})\p{Lu}[\p{L}\p{M}\p{N}'’-]*/gu;

/** The question with the names that the user said before it, the newest first: "it" stands for what was named. */
export function withNames(query: string, messages: readonly Turn[]): string {
  const said = messages.filter(({ role }) => role === "user").toReversed();
  return [query, ...new Set(said.flatMap(({ content }) => content.match(NAME) ?? []))].join("\n");
}
