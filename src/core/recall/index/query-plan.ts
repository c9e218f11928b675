// The query plan of a search: the weighted terms, and the numbers that they have in each namespace.
import { expandedTerms, type WeightedTerm, weigh } from "#core/recall/bm25.ts";
import type { Question, QuestionTerm } from "#core/recall/question.ts";
import { type Comparison, comparisonOf } from "#core/recall/vocabulary.ts";
import type { NamespaceIndex } from "./namespace-index.ts";

export interface QueryPlan {
  readonly weighted: readonly WeightedTerm[];
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

/** How many entries of the n-gram index are read before it yields: a few milliseconds of work. */
const ENTRIES_PER_SLICE = 50_000;

/** The plan for the moment at which it ends. Only a namespace with very many terms that are spelt alike makes it yield. */
export function* planSearch(question: Question, searched: readonly NamespaceIndex[]): Generator<void, QueryPlan> {
  const { found, spellings } = yield* gather(searched, question.terms);
  let memories = 0;
  let terms = 0;
  for (const { corpus } of searched) {
    memories += corpus.memories;
    terms += corpus.terms;
  }
  const known = new Map(found.map((each) => [each.term, each]));
  /** Of each weighted term, its numbers. `weigh` asks in the order of its result. */
  const numbers: (readonly number[])[] = [];
  const weighted = weigh(question.terms, {
    corpus: { memories, terms },
    memoriesWith(term) {
      const found = known.get(term) ?? lookUp(searched, term);
      if (found.memories > 0) numbers.push(found.numbers);
      return found.memories;
    },
    similarTerms: (term) => spellings.find(({ comparison }) => comparison.term === term)?.similar ?? NONE,
  });
  return planWith(weighted, numbers, searched, terms / memories);
}

const NONE: ReadonlyMap<string, number> = new Map();

interface FoundTerm {
  readonly term: string;
  /** One for each namespace; -1 where no memory has it. */
  readonly numbers: number[];
  memories: number;
}

/** The terms of the namespaces that are spelt like one of the question. */
interface Spelling {
  readonly comparison: Comparison;
  readonly similar: Map<string, number>;
}

/** All terms and spellings in one namespace before the next: of thousands, caches then serve the others. */
function* gather(searched: readonly NamespaceIndex[], terms: readonly QuestionTerm[]) {
  let found = terms.map(({ term }) => notFound(term));
  const spellings = expandedTerms(terms).map(
    ({ term }): Spelling => ({ comparison: comparisonOf(term), similar: new Map() }),
  );
  let work = 0;
  let hasPaused = false;
  for (const index of searched) {
    for (const each of found) lookUpIn(index, each);
    for (const { comparison, similar } of spellings) {
      work += index.addSimilarTerms(comparison, similar);
      if (work < ENTRIES_PER_SLICE) continue;
      work = 0;
      hasPaused = true;
      yield;
    }
  }
  // Changes may have been applied meanwhile, and the numbers must be of one moment.
  if (hasPaused) found = terms.map(({ term }) => lookUp(searched, term));
  return { found, spellings };
}

const notFound = (term: string): FoundTerm => ({ term, numbers: [], memories: 0 });

function lookUpIn(index: NamespaceIndex, found: FoundTerm): void {
  const number = index.numberOf(found.term);
  found.numbers.push(number);
  if (number >= 0) found.memories += index.memoriesWith(number);
}

export function lookUp(searched: readonly NamespaceIndex[], term: string): FoundTerm {
  const found = notFound(term);
  for (const index of searched) lookUpIn(index, found);
  return found;
}

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
