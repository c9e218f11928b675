/** The terms of a search in one namespace. */
export interface NamespaceTerms {
  /** By place in the list of terms; -1 for one that no memory of the namespace has. */
  readonly numbers: readonly number[];
  /** The numbers of those that it has in ascending order, and the place of each. */
  readonly ascending: Uint32Array;
  readonly places: Uint32Array;
  /** Documents when the search began. It looks at no later ones. */
  readonly size: number;
}

export function namespaceTerms(numbers: readonly number[], size: number): NamespaceTerms {
  const numberAt = (place: number) => numbers[place] as number;
  const places = Uint32Array.from(numbers.flatMap((number, place) => (number < 0 ? [] : place)));
  places.sort((a, b) => numberAt(a) - numberAt(b));
  return { numbers, places, ascending: places.map(numberAt), size };
}
