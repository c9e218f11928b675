// What a threshold of relevance keeps of the 12 best memories of each question: how much of it is evidence, and how much
// of the evidence among the 12 it keeps.
import { completed, RECALL_LIMIT } from "#core/gate/gate.ts";
import { type Embed, readQuestion } from "#core/recall/question.ts";
import { createRecallIndex } from "#core/recall/recall-index.ts";
import { relevanceOf } from "#core/recall/relevance.ts";
import type { Figure } from "../support/benchmark.ts";
import type { Conversation } from "./conversations.ts";

const NAMESPACE = "conversation";
const THRESHOLDS = [0, 0.05, 0.1, 0.2, 0.3, 0.4];

interface Judged {
  readonly relevance: number;
  readonly isEvidence: boolean;
}

export function relevanceFigures(corpus: string, conversations: readonly Conversation[], embed: Embed): Figure[] {
  const judged = conversations.flatMap((conversation) => judge(conversation, embed));
  const evidence = judged.filter(({ isEvidence }) => isEvidence).length;
  return THRESHOLDS.flatMap((least): Figure[] => {
    const kept = judged.filter(({ relevance }) => relevance >= least);
    const found = kept.filter(({ isEvidence }) => isEvidence).length;
    const figure = (id: string, what: string, share: number): Figure => ({
      id: `${corpus}Relevance${least * 100}${id}`,
      what: `${corpus}: relevance of ${least} or more, ${what}`,
      rounds: [share],
    });
    return [
      figure("Precision", "share that is evidence", found / kept.length),
      figure("Recall", "share of the evidence", found / evidence),
    ];
  });
}

function judge({ entries, questions }: Conversation, embed: Embed): Judged[] {
  const index = createRecallIndex({ embed });
  const now = new Date(entries.at(-1)?.at ?? 0);
  const memories = entries.map(({ text, at }) => ({
    namespace: NAMESPACE,
    content: text,
    createdAt: new Date(at).toISOString(),
  }));
  for (const [sequence, memory] of memories.entries()) index.apply({ kind: "captured", sequence, ...memory });
  return questions.flatMap(({ question: text, evidence }) => {
    const question = readQuestion(text, now, embed);
    const ranked = completed(index.rank(question, [NAMESPACE])).slice(0, RECALL_LIMIT);
    return ranked.map(({ sequence, meaning }) => ({
      relevance: relevanceOf(question, memories[sequence] as (typeof memories)[number], meaning),
      isEvidence: entries[sequence]?.evidence.some((id) => evidence.includes(id)) ?? false,
    }));
  });
}
