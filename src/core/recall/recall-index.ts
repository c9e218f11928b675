// The recall index: answers core/rank.ts's question, "the best of these memories", without reading them all.
//
// One inverted index a namespace. A search names the namespaces it may look into, and term statistics are summed over
// those alone, so that what an agent gets cannot depend on the text of memories it may not use. The index is derived:
// it is fed with the records' changes in the order they were committed and can be built again at any time.

import { queryTerms, termWeight } from "./bm25.ts";
import { createNamespaceIndex, type NamespaceIndex } from "./inverted-index.ts";
import { grown } from "./postings.ts";
import { createTop } from "./top-k.ts";

/** A change of a memory. `sequence` is its place in the order of commits; a memory is known by that of its capture. */
export type MemoryChange =
  | { readonly kind: "captured"; readonly sequence: number; readonly namespace: string; readonly content: string }
  | { readonly kind: "forgotten"; readonly sequence: number; readonly namespace: string; readonly captured: number };

export interface RecallIndex {
  apply(change: MemoryChange): void;
  /** The namespaces that hold at least one memory. */
  namespaces(): string[];
  /** How many memories each of them holds. */
  counts(): Map<string, number>;
  /** The capture sequences of the best `limit` memories of these namespaces, best first. */
  search(query: string, namespaces: readonly string[], limit: number): number[];
}

export function createIndex(): RecallIndex {
  const parts = new Map<string, NamespaceIndex>();
  let scores = new Float64Array(64);

  return {
    apply(change) {
      const part = parts.get(change.namespace) ?? createNamespaceIndex();
      if (change.kind === "captured") part.add(change.sequence, change.content);
      else part.forget(change.captured);
      if (part.memories > 0) parts.set(change.namespace, part);
      else parts.delete(change.namespace);
    },

    namespaces: () => [...parts.keys()],
    counts: () => new Map([...parts].map(([namespace, { memories }]) => [namespace, memories])),

    search(query, namespaces, limit) {
      const open = namespaces.flatMap((namespace) => parts.get(namespace) ?? []);
      const corpus = { memories: sum(open, (part) => part.memories), terms: sum(open, (part) => part.terms) };
      const weighted = queryTerms(query).map((term) => ({
        term,
        weight: termWeight(
          corpus,
          sum(open, (part) => part.memoriesWith(term)),
        ),
      }));
      const top = createTop(limit);
      for (const part of open) {
        if (part.size > scores.length) scores = grown(scores, part.size);
        part.score(weighted, corpus, scores);
        part.offer(scores, top);
      }
      return filledWithNewest(top.sequences(), open, limit);
    },
  };
}

/** `sequences`, and then the newest that are not among them, up to `limit`. */
function filledWithNewest(sequences: readonly number[], parts: readonly NamespaceIndex[], limit: number): number[] {
  const chosen = new Set(sequences);
  const candidates = chosen.size < limit ? parts.flatMap((part) => part.newest(limit)) : [];
  for (const sequence of candidates.sort((a, b) => b - a)) {
    if (chosen.size >= limit) break;
    chosen.add(sequence);
  }
  return [...chosen];
}

function sum(parts: readonly NamespaceIndex[], of: (part: NamespaceIndex) => number): number {
  return parts.reduce((total, part) => total + of(part), 0);
}
