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
  const known = new Map(lookUp(searched, termsOf(question)).map((found) => [found.term, found]));
  /** Of each weighted term, its numbers. `weigh` asks in the order of its result. */
  const numbers: (readonly number[])[] = [];
  const weighted = weigh(question.terms, {
    corpus: { memories, terms },
    memoriesWith(term) {
      const found = known.get(term) ?? (lookUp(searched, [term])[0] as FoundTerm);
      if (found.memories > 0) numbers.push(found.numbers);
      return found.memories;
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

const termsOf = ({ terms }: Question): string[] => terms.map(({ term }) => term);

interface FoundTerm {
  readonly term: string;
  /** One for each namespace; -1 where no memory has it. */
  readonly numbers: number[];
  /** How many memories have it. */
  memories: number;
}

/**
 * Looks the terms up in each namespace. An agent may use thousands of small ones, so it looks all terms up in one before it
 * goes on to the next: what the first look-up brings into the processor's cache serves the others.
 */
export function lookUp(searched: readonly NamespaceIndex[], terms: readonly string[]): FoundTerm[] {
  const found = terms.map((term): FoundTerm => ({ term, numbers: [], memories: 0 }));
  for (const index of searched) {
    for (const each of found) {
      const number = index.numberOf(each.term);
      each.numbers.push(number);
      if (number >= 0) each.memories += index.memoriesWith(number);
    }
  }
  return found;
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
