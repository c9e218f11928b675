// Compaction: an index of the same memories without tombstones and without the terms that only they had.
import type { NamespaceIndex } from "./namespace-index.ts";
import { grow } from "./pages.ts";
import { countOf, documentOf, packed } from "./postings.ts";

/** How much it does before it yields: a few milliseconds of work. */
const TERMS_PER_SLICE = 5_000;
/** To copy a memory, or to find one that was forgotten, takes as long as to copy so many of its terms. */
const TERMS_PER_MEMORY = 5;
/** And to add a new term to the vocabulary, as so many. */
const TERMS_PER_NEW_TERM = 5;

/** Fills `copy`. The caller adds to `forgotten` what is forgotten meanwhile. Other changes go to the original. */
export function* compact(
  original: NamespaceIndex,
  copy: NamespaceIndex,
  forgotten: number[],
): Generator<void, NamespaceIndex> {
  /** The new number of each term, plus one; 0 for a term that has none yet. */
  let numbers = new Uint32Array(original.terms.length);
  let terms = new Uint32Array(16);
  let work = 0;

  function numberOf(term: number): number {
    if (term >= numbers.length) numbers = grow(numbers, term + 1);
    const known = numbers[term] as number;
    if (known > 0) return known - 1;
    work += TERMS_PER_NEW_TERM;
    const number = copy.addTerm(original.terms[term] as string) as number;
    numbers[term] = number + 1;
    return number;
  }

  function copyMemory(document: number): void {
    if (original.isForgotten(document)) return;
    const old = original.termsOf(document);
    const termCount = old.length;
    if (termCount > terms.length) terms = grow(terms, termCount);
    for (let i = 0; i < termCount; i++)
      terms[i] = packed(numberOf(documentOf(old[i] as number)), countOf(old[i] as number));
    terms.subarray(0, termCount).sort();
    work += termCount;
    copy.restore({
      sequence: original.sequenceOf(document),
      occurredAt: original.occurredAt(document),
      length: original.lengthOf(document),
      terms,
      termCount,
      vector: original.vectorOf(document),
    });
  }

  for (let document = 0; document < original.size() || forgotten.length > 0; ) {
    if (document < original.size()) copyMemory(document++);
    else copy.forget(forgotten.pop() as number);
    work += TERMS_PER_MEMORY;
    if (work < TERMS_PER_SLICE) continue;
    work = 0;
    yield;
  }
  copy.restoreLeftOut(original.leftOut());
  return copy;
}
