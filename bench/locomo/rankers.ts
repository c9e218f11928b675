// Portcullis' ranking, and plain BM25 with stop words to compare it with.
import { runInSlices } from "#async/run-in-slices.ts";
import { lastTurns, type Turn, withNames } from "#core/recall/conversation.ts";
import { type Embed, isQuestionWord, readQuestion } from "#core/recall/question.ts";
import { createRecallIndex } from "#core/recall/recall-index.ts";
import { termOf, wordsOf } from "#core/text/words.ts";
import type { SentenceEmbedder } from "#ports.ts";
import type { Conversation } from "./conversations.ts";
import type { Rank } from "./retrieval-quality.ts";

const NAMESPACE = "conversation";

/** The ranking before the floor and the folding of near-duplicates. */
export async function portcullis(
  { entries }: Conversation,
  embed: Embed,
  sentences: SentenceEmbedder | undefined,
  turnsBefore: (query: string) => readonly Turn[] = () => [],
): Promise<Rank> {
  const vectors = new Map<number, Int8Array>();
  const index = createRecallIndex({ embed, sentenceVectorOf: (sequence) => vectors.get(sequence) });
  for (const [i, { text, at }] of entries.entries()) {
    const createdAt = new Date(at).toISOString();
    index.apply({ kind: "captured", sequence: i + 1, namespace: NAMESPACE, content: text, createdAt });
    if (sentences !== undefined) vectors.set(i + 1, await sentences.embed(text));
  }
  const now = new Date(entries.at(-1)?.at ?? 0);
  return async (query) => {
    const turns = turnsBefore(query);
    const sentenceVector = await sentences?.embed(withNames(query, turns), { of: "question" });
    const question = { ...readQuestion(query, now, embed, turns), sentenceVector };
    const ranked = await runInSlices(index.rank(question, [NAMESPACE]));
    return ranked.map(({ sequence }) => sequence - 1);
  };
}

/** Another question, and as its answer a text that holds its evidence. */
export function talkBefore({ entries, questions }: Conversation): (query: string) => readonly Turn[] {
  const textOf = new Map(entries.flatMap(({ text, evidence }) => evidence.map((id) => [id, text] as const)));
  return (query) => {
    const place = questions.findIndex(({ question }) => question === query);
    const other = questions[(place + 7) % questions.length];
    const answer = other?.evidence.map((id) => textOf.get(id)).find((text) => text !== undefined);
    const turns: readonly Turn[] = [
      { role: "user", content: other?.question ?? "" },
      { role: "assistant", content: answer ?? "" },
    ];
    return lastTurns(turns, query);
  };
}

const K1 = 1.2;
const B = 0.75;

export function plainBm25({ entries }: Conversation): Rank {
  const documents = entries.map(({ text }) => contentTerms(text));
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const frequencies = new Map<string, number>();
  for (const term of documents.flatMap((terms) => [...new Set(terms)])) {
    frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  }

  function scoreOf(document: readonly string[], term: string): number {
    const count = document.filter((other) => other === term).length;
    const frequency = frequencies.get(term) ?? 0;
    const weight = Math.log(1 + (documents.length - frequency + 0.5) / (frequency + 0.5));
    return (weight * count * (K1 + 1)) / (count + K1 * (1 - B + (B * document.length) / averageLength));
  }
  return (question) => {
    const terms = [...new Set(contentTerms(question))];
    return documents
      .map((document, i) => ({ i, score: terms.reduce((sum, term) => sum + scoreOf(document, term), 0) }))
      .sort((a, b) => b.score - a.score || b.i - a.i)
      .map(({ i }) => i);
  };
}

function contentTerms(text: string): string[] {
  return wordsOf(text)
    .filter((word) => !isQuestionWord(word))
    .map(termOf);
}
