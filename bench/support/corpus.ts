// Synthetic memories and queries, the same in every run.
import type { MemoryChange } from "#core/recall/recall-index.ts";
import { between, createRandom, pick } from "./random.ts";
import { createVocabulary } from "./vocabulary.ts";

export type Captured = Extract<MemoryChange, { kind: "captured" }>;

export interface Corpus {
  readonly memories: readonly Captured[];
  readonly queries: readonly string[];
}

const NAMESPACES = ["health", "diet", "fitness", "travel", "work", "finance", "family", "home"];
/** The namespaces that the agent may use. */
export const ALLOWED = NAMESPACES.slice(0, 5);

export function createCorpus({ memories, queries }: { memories: number; queries: number }): Corpus {
  const random = createRandom(2_026);
  const words = createVocabulary(random);

  const fact = () => Array.from({ length: between(8, 16, random) }, words.any).join(" ");
  // Real queries contain common words, so each query has at least one.
  const query = () => [words.common(), ...Array.from({ length: between(2, 7, random) }, words.any)].join(" ");

  return {
    memories: Array.from({ length: memories }, (_, i) => ({
      kind: "captured",
      sequence: i + 1,
      namespace: pick(NAMESPACES, random),
      content: `${fact()}.`,
      createdAt: new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString(),
    })),
    queries: Array.from({ length: queries }, query),
  };
}
