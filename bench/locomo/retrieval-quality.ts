// Recall at k and mean reciprocal rank, averaged over the questions.
import type { Conversation } from "./conversations.ts";

/** Answers with positions in the conversation's entries, best first. */
export type Rank = (question: string) => readonly number[] | Promise<readonly number[]>;

export interface Quality {
  /** The share of a question's evidence among the first k. */
  readonly recallAt: ReadonlyMap<number, number>;
  readonly meanReciprocalRank: number;
}

export const DEPTHS = [1, 5, 10, 20];

export async function qualityOf(
  conversations: readonly Conversation[],
  rankerFor: (conversation: Conversation) => Rank | Promise<Rank>,
  /** Also what no entry rests on counts: it cannot be found. */
  { ofAll = false } = {},
): Promise<Quality> {
  const shares = new Map(DEPTHS.map((depth): [number, number[]] => [depth, []]));
  const reciprocalRanks: number[] = [];
  for (const conversation of conversations) {
    const { entries, questions } = conversation;
    const rank = await rankerFor(conversation);
    const known = new Set(entries.flatMap(({ evidence }) => evidence));
    for (const { question, evidence } of questions) {
      const needed = new Set(evidence.filter((id) => ofAll || known.has(id)));
      if (needed.size === 0) continue;
      const ranked = (await rank(question)).map((position) => entries[position]?.evidence ?? []);
      for (const [depth, list] of shares) {
        const given = new Set(ranked.slice(0, depth).flat());
        list.push([...needed].filter((id) => given.has(id)).length / needed.size);
      }
      const first = ranked.findIndex((rested) => rested.some((id) => needed.has(id)));
      reciprocalRanks.push(first < 0 ? 0 : 1 / (first + 1));
    }
  }
  return {
    recallAt: new Map([...shares].map(([depth, list]) => [depth, mean(list)])),
    meanReciprocalRank: mean(reciprocalRanks),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
