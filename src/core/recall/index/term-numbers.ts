// The numbers of a search's terms in the vocabularies of its namespaces, and how many memories have each term.
//
// An agent may use thousands of small namespaces. So terms are looked up together, one namespace after the other: what a
// namespace's vocabulary brings into the processor's cache serves all of them.
import type { WeightedTerm } from "#core/recall/weighted-terms.ts";
import type { NamespaceIndex } from "./namespace-index.ts";
import { type NamespaceTerms, namespaceTerms } from "./namespace-terms.ts";

interface Found {
  /** By namespace; -1 where no memory has the term. */
  readonly numbers: Int32Array;
  memories: number;
}

export function createTermNumbers(searched: readonly NamespaceIndex[]) {
  const found = new Map<string, Found>();

  function lookUp(terms: readonly string[]): void {
    const rows = terms.map((term) => ({ term, numbers: new Int32Array(searched.length), memories: 0 }));
    for (let i = 0; i < searched.length; i++) {
      const partition = searched[i] as NamespaceIndex;
      for (const row of rows) {
        const number = partition.numberOf(row.term);
        row.numbers[i] = number;
        if (number >= 0) row.memories += partition.memoriesWith(number);
      }
    }
    for (const row of rows) found.set(row.term, row);
  }

  function rowOf(term: string): Found {
    if (!found.has(term)) lookUp([term]);
    return found.get(term) as Found;
  }

  return {
    /** Looks these terms up. Others are looked up when they are asked for. */
    lookUp,
    memoriesWith: (term: string): number => rowOf(term).memories,
    of(weighted: readonly WeightedTerm[]): ReadonlyMap<NamespaceIndex, NamespaceTerms> {
      const rows = weighted.map(({ term }) => rowOf(term).numbers);
      return new Map(
        searched.map((partition, i) => [
          partition,
          namespaceTerms(
            rows.map((row) => row[i] as number),
            partition.size(),
          ),
        ]),
      );
    },
  };
}
