// The numbers of a search's terms in the vocabularies of its namespaces. Each term is looked up once in each of them.
import type { WeightedTerm } from "#core/recall/weighted-terms.ts";
import type { NamespaceIndex } from "./namespace-index.ts";
import { type NamespaceTerms, namespaceTerms } from "./namespace-terms.ts";

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
          return [
            partition,
            namespaceTerms(
              rows.map((row) => row[i] as number),
              partition.size(),
            ),
          ];
        }),
      );
    },
  };
}
