// How well recall finds the evidence for the questions of LoCoMo (Maharana et al., 2024), beside plain BM25 with stop
// words. Nothing is learnt from the questions. Measured before the floor and the folding of near-duplicates.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Embed, readQuestion } from "#core/recall/question.ts";
import { createRecallIndex } from "#core/recall/recall-index.ts";
import { isQuestionWord } from "#core/recall/text/question-words.ts";
import { termOf, wordsOf } from "#core/recall/text/tokenizer.ts";

interface Entry {
  readonly text: string;
  readonly date: string;
  /** The turns of the dialogue that it rests on. */
  readonly evidence: readonly string[];
}

interface Conversation {
  readonly entries: readonly Entry[];
  readonly questions: readonly { readonly question: string; readonly evidence: readonly string[] }[];
}

export function readTurns(folder: string): Conversation[] {
  const { conversations } = JSON.parse(readFileSync(join(folder, "locomo-dev.json"), "utf8"));
  return conversations.map(
    ({
      turns,
      questions,
    }: {
      turns: { id: string; text: string; date: string }[];
      questions: Conversation["questions"];
    }) => ({
      entries: turns.map(({ id, text, date }) => ({ text, date, evidence: [id] })),
      questions,
    }),
  );
}

export function readFacts(folder: string): Conversation[] {
  const { conversations } = JSON.parse(readFileSync(join(folder, "locomo-dev-facts.json"), "utf8"));
  return conversations.map(({ facts, questions }: { facts: Entry[]; questions: Conversation["questions"] }) => ({
    entries: facts,
    questions,
  }));
}

/** "1:56 pm on 8 May, 2023" as Unix time. */
export function timeOf(date: string): number {
  const found = /^(\d+):(\d+) (am|pm) on (\d+ \w+), (\d{4})$/.exec(date.trim());
  if (found === null) throw new Error(`LoCoMo has a date of another form: ${date}`);
  const [, hour, minute, half, day, year] = found;
  return Date.parse(`${day} ${year} ${(Number(hour) % 12) + (half === "pm" ? 12 : 0)}:${minute} UTC`);
}

/** Answers with positions in the entries, best first. */
export type Rank = (question: string) => readonly number[];

export interface Quality {
  readonly recallAt: Readonly<Record<1 | 5 | 10 | 20, number>>;
  readonly mrr: number;
}

const DEPTHS = [1, 5, 10, 20] as const;

export function evaluate(
  conversations: readonly Conversation[],
  ranker: (conversation: Conversation) => Rank,
): Quality {
  const found = new Map<number, number[]>(DEPTHS.map((depth) => [depth, []]));
  const reciprocal: number[] = [];
  for (const conversation of conversations) {
    const rank = ranker(conversation);
    const known = new Set(conversation.entries.flatMap(({ evidence }) => evidence));
    for (const { question, evidence } of conversation.questions) {
      const needed = new Set(evidence.filter((id) => known.has(id)));
      if (needed.size === 0) continue;
      const ranked = rank(question);
      for (const depth of DEPTHS) {
        const given = new Set(ranked.slice(0, depth).flatMap((i) => conversation.entries[i]?.evidence ?? []));
        found.get(depth)?.push([...needed].filter((id) => given.has(id)).length / needed.size);
      }
      const first = ranked.findIndex((i) => conversation.entries[i]?.evidence.some((id) => needed.has(id)));
      reciprocal.push(first < 0 ? 0 : 1 / (first + 1));
    }
  }
  const mean = (values: readonly number[] = []) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    recallAt: { 1: mean(found.get(1)), 5: mean(found.get(5)), 10: mean(found.get(10)), 20: mean(found.get(20)) },
    mrr: mean(reciprocal),
  };
}

export function portcullis(embed: Embed): (conversation: Conversation) => Rank {
  return ({ entries }) => {
    const index = createRecallIndex(embed);
    entries.forEach(({ text, date }, i) => {
      const createdAt = new Date(timeOf(date)).toISOString();
      index.apply({ kind: "captured", sequence: i + 1, namespace: "conversation", content: text, createdAt });
    });
    const now = new Date(timeOf(entries.at(-1)?.date ?? ""));
    return (query) => {
      const search = index.rank(readQuestion(query, now, embed), ["conversation"]);
      let step = search.next();
      while (step.done !== true) step = search.next();
      return step.value.map(({ sequence }) => sequence - 1);
    };
  };
}

/** k1 1.2 and b 0.75, the usual parameters, without the stop words. */
export function plainBm25({ entries }: Conversation): Rank {
  const terms = (text: string) =>
    wordsOf(text)
      .filter((word) => !isQuestionWord(word))
      .map(termOf);
  const documents = entries.map(({ text }) => terms(text));
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const frequency = new Map<string, number>();
  for (const document of documents)
    for (const term of new Set(document)) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  return (question) => {
    const asked = [...new Set(terms(question))];
    const scores = documents.map((document) =>
      asked.reduce((score, term) => {
        const count = document.filter((other) => other === term).length;
        const df = frequency.get(term) ?? 0;
        const idf = Math.log(1 + (documents.length - df + 0.5) / (df + 0.5));
        return score + (idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * document.length) / average));
      }, 0),
    );
    return scores
      .map((score, i) => ({ score, i }))
      .sort((a, b) => b.score - a.score || b.i - a.i)
      .map(({ i }) => i);
  };
}
