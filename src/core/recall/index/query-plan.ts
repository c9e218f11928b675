// The query plan of a search: the weighted terms, and for each namespace the numbers that they have in its vocabulary.
import type { Question } from "#core/recall/question.ts";
import { type WeightedTerm, weigh } from "#core/recall/weighted-terms.ts";
import type { NamespaceIndex } from "./namespace-index.ts";
import { comparisonOf } from "./vocabulary.ts";

export interface QueryPlan {
  readonly weighted: readonly WeightedTerm[];
  /** The weights of `weighted`. */
  readonly weights: readonly number[];
  /** Of the memories in all the namespaces, in terms. */
  readonly averageLength: number;
  readonly namespaces: readonly PlannedNamespace[];
  /** How many documents the namespaces have together, tombstones included. */
  readonly documents: number;
}

export interface PlannedNamespace {
  readonly index: NamespaceIndex;
  /** Documents when the search began. It looks at no later ones. */
  readonly size: number;
  /** By place in the list of weighted terms; -1 for one that no memory of the namespace has. */
  readonly numbers: readonly number[];
  /** The numbers of those that it has in ascending order, and the place of each. */
  readonly ascending: readonly number[];
  readonly places: readonly number[];
}

export function planSearch(question: Question, searched: readonly NamespaceIndex[]): QueryPlan {
  let memories = 0;
  let terms = 0;
  for (const { corpus } of searched) {
    memories += corpus.memories;
    terms += corpus.terms;
  }
  const weighted = weigh(question.terms, {
    corpus: { memories, terms },
    memoriesWith(term) {
      let withTerm = 0;
      for (const index of searched) withTerm += index.memoriesWith(index.numberOf(term));
      return withTerm;
    },
    similarTerms(term) {
      const comparison = comparisonOf(term);
      const similar = new Map<string, number>();
      for (const index of searched) index.addSimilarTerms(comparison, similar);
      return similar;
    },
  });
  return planWith(weighted, searched, terms / memories);
}

/** The plan of a search for these terms. */
export function planWith(
  weighted: readonly WeightedTerm[],
  searched: readonly NamespaceIndex[],
  averageLength: number,
): QueryPlan {
  let documents = 0;
  const namespaces = searched.map((index) => {
    documents += index.size();
    return plannedNamespace(weighted, index);
  });
  return { weighted, weights: weighted.map(({ weight }) => weight), averageLength, namespaces, documents };
}

function plannedNamespace(weighted: readonly WeightedTerm[], index: NamespaceIndex): PlannedNamespace {
  const numbers: number[] = [];
  const ascending: number[] = [];
  const places: number[] = [];
  for (let place = 0; place < weighted.length; place++) {
    const number = index.numberOf((weighted[place] as WeightedTerm).term);
    numbers.push(number);
    if (number < 0) continue;
    // Insertion sort: the lists are short, and mostly in order.
    let at = ascending.length;
    for (; at > 0 && (ascending[at - 1] as number) > number; at--) {
      ascending[at] = ascending[at - 1] as number;
      places[at] = places[at - 1] as number;
    }
    ascending[at] = number;
    places[at] = place;
  }
  return { index, size: index.size(), numbers, ascending, places };
}
