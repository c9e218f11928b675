// The query plan of a search: the weighted terms, and for each namespace the numbers that they have in its vocabulary.
// Each term is looked up once in each namespace.
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
  /** Of each weighted term, its numbers. `weigh` asks in the order of its result. */
  const numbers: (readonly number[])[] = [];
  const weighted = weigh(question.terms, {
    corpus: { memories, terms },
    memoriesWith(term) {
      const ofTerm = numbersIn(searched, term);
      let withTerm = 0;
      for (let i = 0; i < ofTerm.length; i++)
        withTerm += (searched[i] as NamespaceIndex).memoriesWith(ofTerm[i] as number);
      if (withTerm > 0) numbers.push(ofTerm);
      return withTerm;
    },
    similarTerms(term) {
      const comparison = comparisonOf(term);
      const similar = new Map<string, number>();
      for (const index of searched) index.addSimilarTerms(comparison, similar);
      return similar;
    },
  });
  return planWith(weighted, numbers, searched, terms / memories);
}

/** The numbers of a term, one for each namespace; -1 where no memory has it. */
export function numbersIn(searched: readonly NamespaceIndex[], term: string): number[] {
  const numbers: number[] = [];
  for (const index of searched) numbers.push(index.numberOf(term));
  return numbers;
}

/** The plan of a search for these terms, whose numbers are known. */
export function planWith(
  weighted: readonly WeightedTerm[],
  numbers: readonly (readonly number[])[],
  searched: readonly NamespaceIndex[],
  averageLength: number,
): QueryPlan {
  let documents = 0;
  const namespaces = searched.map((index, column) => {
    documents += index.size();
    return plannedNamespace(index, numbers, column);
  });
  return { weighted, weights: weighted.map(({ weight }) => weight), averageLength, namespaces, documents };
}

function plannedNamespace(
  index: NamespaceIndex,
  rows: readonly (readonly number[])[],
  column: number,
): PlannedNamespace {
  const numbers: number[] = [];
  const ascending: number[] = [];
  const places: number[] = [];
  for (let place = 0; place < rows.length; place++) {
    const number = (rows[place] as readonly number[])[column] as number;
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
