// The conversations of LoCoMo (Maharana et al., 2024): dialogue turns, or facts extracted from them, and questions with
// the turns that hold the evidence.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { extractFacts, type SaidMessage } from "#core/conversations/extract-facts.ts";
import { resolveDates } from "#core/conversations/resolve-dates.ts";
import { sentencesOf } from "#core/conversations/sentences.ts";

interface Entry {
  readonly text: string;
  /** Stands for the time of capture. Unix time in milliseconds. */
  readonly at: number;
  /** The turns that it rests on. */
  readonly evidence: readonly string[];
}

export interface Conversation {
  readonly entries: readonly Entry[];
  readonly questions: readonly { readonly question: string; readonly evidence: readonly string[] }[];
}

interface Turn {
  readonly id: string;
  readonly text: string;
  readonly date: string;
}

type File<Key extends string, T> = {
  readonly conversations: readonly (Readonly<Record<Key, readonly T[]>> & Pick<Conversation, "questions">)[];
};

export function readTurns(folder: string): Conversation[] {
  const { conversations } = read<File<"turns", Turn>>(folder, "locomo-dev.json");
  return conversations.map(({ turns, questions }) => ({
    entries: turns.map(({ id, text, date }) => ({ text, at: timeOf(date), evidence: [id] })),
    questions,
  }));
}

export function readFacts(folder: string): Conversation[] {
  const { conversations } = read<File<"facts", Omit<Entry, "at"> & { date: string }>>(folder, "locomo-dev-facts.json");
  return conversations.map(({ facts, questions }) => ({
    entries: facts.map(({ text, date, evidence }) => ({ text, at: timeOf(date), evidence })),
    questions,
  }));
}

/**
 * Facts that the built-in rules extract from the turns, once for each speaker; and those of a scripted model, which keeps
 * every sentence that is no question, with its speaker and its dates.
 */
export function readExtracted(folder: string, by: "rules" | "script"): Conversation[] {
  const { conversations } = read<File<"turns", Turn>>(folder, "locomo-dev.json");
  return conversations.map(({ turns, questions }) => {
    const said = turns.map(saidIn);
    const entries = [...new Set(said.map(({ speaker }) => speaker))].flatMap((speaker) => {
      const messages = said.map(({ speaker: own, content, at }): SaidMessage => {
        return { role: own === speaker ? "user" : "assistant", content, at };
      });
      const facts = by === "rules" ? extractFacts(messages, { userName: speaker }) : keptBy(speaker, messages);
      return facts.map(({ content, derivedFrom: [first = 0] }) => {
        return { text: content, at: timeOf(turns[first]?.date ?? ""), evidence: [turns[first]?.id ?? ""] };
      });
    });
    return { entries: entries.toSorted((a, b) => a.at - b.at), questions };
  });
}

function saidIn({ text, date }: Turn) {
  const [, speaker = "", content = ""] = /^([^:]+): (.*)$/su.exec(text) ?? [];
  return { speaker, content: content.replace(/\[shares [^\]]*\]/gu, ""), at: new Date(timeOf(date)).toISOString() };
}

const keptBy = (speaker: string, messages: readonly SaidMessage[]) =>
  messages.flatMap(({ role, content, at }, place) => {
    const told = sentencesOf(content).filter((sentence) => !sentence.includes("?"));
    if (role !== "user" || told.length === 0) return [];
    return [{ content: `${speaker}: ${resolveDates(told.join(" "), at).text}`, derivedFrom: [place] }];
  });

function read<T>(folder: string, name: string): T {
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}

/** "1:56 pm on 8 May, 2023", read as UTC. */
function timeOf(date: string): number {
  const found = /^(\d+):(\d+) (am|pm) on (\d+ \w+), (\d{4})$/.exec(date.trim());
  if (found === null) throw new Error(`LoCoMo has a date of another form: ${date}`);
  const [, hour, minute, half, day, year] = found;
  return Date.parse(`${day} ${year} ${(Number(hour) % 12) + (half === "pm" ? 12 : 0)}:${minute} UTC`);
}
