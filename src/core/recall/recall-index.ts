// Inverted index, partitioned by namespace. It answers the question of ranking.ts, "the best of these memories", without
// reading them all.
//
// A search names the namespaces that it may read, and term statistics are summed over those alone. So what an agent gets
// cannot depend on the text of memories that it may not use. The index is derived data: it applies the records' changes
// in commit order, and can be built again at any time.

import { createInvertedIndex, type InvertedIndex } from "./inverted-index.ts";
import { createPins, pinnedFirst } from "./pins.ts";
import { queryTerms, termWeight } from "./ranking.ts";
import { createTopK } from "./top-k.ts";

/** `sequence` is the change's position in commit order. A memory is identified by the sequence of its capture. */
export type MemoryChange =
  | { readonly kind: "captured"; readonly sequence: number; readonly namespace: string; readonly content: string }
  | { readonly kind: "forgotten"; readonly sequence: number; readonly namespace: string; readonly captured: number }
  | {
      readonly kind: "pinned";
      readonly sequence: number;
      readonly namespace: string;
      readonly captured: number;
      /** False: it was unpinned. */
      readonly pinned: boolean;
    };

export function createRecallIndex() {
  const partitions = new Map<string, InvertedIndex>();
  const pins = createPins();
  const scratch = { scores: new Float64Array(64) };

  return {
    apply(change: MemoryChange): void {
      const partition = partitions.get(change.namespace) ?? createInvertedIndex(scratch);
      if (change.kind === "captured") partition.add(change.sequence, change.content);
      else if (change.kind === "forgotten") partition.forget(change.captured);
      if (change.kind !== "captured")
        pins.set(change.namespace, change.captured, change.kind === "pinned" && change.pinned);
      if (partition.corpus.memories > 0) partitions.set(change.namespace, partition);
      else partitions.delete(change.namespace);
    },

    /** The namespaces that hold at least one memory. */
    namespaces: (): string[] => [...partitions.keys()],
    /** How many memories each of these namespaces holds. */
    counts: () => new Map([...partitions].map(([namespace, { corpus }]) => [namespace, corpus.memories])),

    /** The capture sequences of the pinned memories of these namespaces, and of the best, up to `limit`. */
    search(query: string, namespaces: readonly string[], limit: number): number[] {
      const searched = namespaces.flatMap((namespace) => partitions.get(namespace) ?? []);
      const corpus = {
        memories: sum(searched, (partition) => partition.corpus.memories),
        terms: sum(searched, (partition) => partition.corpus.terms),
      };
      const weighted = queryTerms(query).map((term) => {
        const memoriesWithTerm = sum(searched, (partition) => partition.memoriesWith(term));
        return { term, weight: termWeight(corpus, memoriesWithTerm) };
      });
      const top = createTopK(limit);
      for (const partition of searched) partition.search(weighted, corpus, top);
      const ranked = fillWithNewest(top.sequences(), searched, limit);
      return pinnedFirst(pins.newest(namespaces, limit), ranked, limit);
    },
  };
}

/** Appends the newest memories that are not among `sequences`, up to `limit`. */
function fillWithNewest(sequences: readonly number[], partitions: readonly InvertedIndex[], limit: number): number[] {
  const chosen = new Set(sequences);
  const candidates = chosen.size < limit ? partitions.flatMap((partition) => partition.newest(limit)) : [];
  for (const sequence of candidates.sort((a, b) => b - a)) {
    if (chosen.size >= limit) break;
    chosen.add(sequence);
  }
  return [...chosen];
}

function sum(partitions: readonly InvertedIndex[], of: (partition: InvertedIndex) => number): number {
  return partitions.reduce((total, partition) => total + of(partition), 0);
}
