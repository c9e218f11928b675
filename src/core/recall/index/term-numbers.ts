// The numbers of a search's terms in the vocabularies of its namespaces. Each term is looked up once in each of them.
import type { WeightedTerm } from "#core/recall/weighted-terms.ts";
import type { NamespaceIndex } from "./namespace-index.ts";

/** The terms of a search in one namespace. */
export interface NamespaceTerms {
  /** By place in the list of terms; -1 for one that no memory of the namespace has. */
  readonly numbers: readonly number[];
  /** From a term's number to its place. */
  readonly places: ReadonlyMap<number, number>;
}

export function createTermNumbers(searched: readonly NamespaceIndex[]) {
  const found = new Map<string, number[]>();
  function numbersOf(term: string): number[] {
    const known = found.get(term);
    if (known !== undefined) return known;
    const numbers = searched.map((partition) => partition.numberOf(term));
    found.set(term, numbers);
    return numbers;
  }
  return {
    memoriesWith(term: string): number {
      let memories = 0;
      for (const [i, number] of numbersOf(term).entries())
        memories += (searched[i] as NamespaceIndex).memoriesWith(number);
      return memories;
    },
    of(weighted: readonly WeightedTerm[]): ReadonlyMap<NamespaceIndex, NamespaceTerms> {
      const rows = weighted.map(({ term }) => numbersOf(term));
      return new Map(
        searched.map((partition, i) => {
          const numbers = rows.map((row) => row[i] as number);
          return [partition, { numbers, places: new Map(numbers.map((number, place) => [number, place])) }];
        }),
      );
    },
  };
}
